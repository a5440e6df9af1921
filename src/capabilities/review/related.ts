import { segmentId } from '../../domain/actions/table'
import type { ChangeRequest } from '../../domain/change-request'
import { maxInRow, predecessorIn } from '../../domain/content/follow'
import { changeSubject, isWaiting, revertedSubject, scheduledSubjects } from '../../domain/content/grouping'
import { segmentsIn } from '../../domain/content/mentions'
import { closedObjections, peopleIn } from '../../domain/content/objections'
import type { ChangeRequestSummary } from '../../domain/content/summary'
import { applySteps, type ChangeDiff, startOf as startOfDiff } from '../../domain/diff/diff'
import { isRestoring } from '../../domain/diff/restoring'
import type { FlagState } from '../../domain/flag-state'
import { closedStates, type State } from '../../domain/lifecycle'
import { states } from '../../generated/lists'
import { hashOf } from '../../kernel/digest'
import { followersOf } from '../../kernel/facts/predecessor'
import { findPeople, idsInDirectory } from '../../kernel/host/find-users'
import { currentFlagsOf, namesOfSegments } from '../../kernel/host/flag-state'
import type { PermissionCheck } from '../../kernel/host/permissions'
import type { Services } from '../../kernel/services'
import { readPages } from '../../kernel/view/pages'
import { type SegmentUser, usersOfSegment } from '../../kernel/view/segments'
import type { Actor } from '../../ports/access'

const openOrApplied = states.filter((state) => state === 'Applied' || !closedStates.includes(state))

/**
 * The id of the change request that reverts it: the newest applied one that is in effect, else the newest open one; null for
 * none that the caller can see. One whose changes no longer restore what it reverts does not count.
 */
export async function findReverting(
  services: Pick<Services, 'storage'>,
  changeRequest: ChangeRequest,
  actor: Actor,
): Promise<number | null> {
  if (changeRequest.state !== 'Applied') return null
  let open: number | null = null
  for await (const revert of revertsOf(services, changeRequest, { states: openOrApplied, viewer: actor.id })) {
    if (revert.state !== 'Applied') open ??= revert.id
    else if (await isInEffect(services, revert)) return revert.id
  }
  return open
}

/** The objections that the end of the change request closed of which it is a copy, with the users; null if it is no copy. */
export async function findCopied(services: Services, { project, copies }: ChangeRequest) {
  if (!services.options.objections || copies === undefined) return null
  const original = await services.storage.find({ project }, copies)
  if (original === undefined) return null
  const objections = closedObjections(original.changeRequest)
  return { id: copies, objections, people: await findPeople(services, idsInDirectory(peopleIn(objections))) }
}

/** False if an applied revert of it is in effect. A revert is always newer, so this ends. */
async function isInEffect(services: Pick<Services, 'storage'>, applied: ChangeRequest): Promise<boolean> {
  for await (const revert of revertsOf(services, applied, { states: ['Applied'], viewer: null })) {
    if (await isInEffect(services, revert)) return false
  }
  return true
}

/** The change requests that revert it, newest first. */
async function* revertsOf(
  { storage }: Pick<Services, 'storage'>,
  { id, project }: ChangeRequest,
  filter: { readonly states: readonly State[]; readonly viewer: number | null },
): AsyncGenerator<ChangeRequest> {
  const wanted = { ...filter, projects: [project], subjects: [revertedSubject(id)] }
  for await (const { items } of readPages((page) => storage.list(wanted, page))) {
    for (const { changeRequest } of items) if (isRestoring(changeRequest, hashOf)) yield changeRequest
  }
}

const maxCount = 20
/** Bounds the work for a flag that very many scheduled change requests change. */
const readPage = { limit: 1_000, bytes: 1_048_576 }

/**
 * The other scheduled change requests of the same flags or segments in the environment, the earliest first.
 *
 * @param known the scheduled ones of these flags and segments, if they were already read
 */
export async function findOtherSchedules(
  { storage, options }: Pick<Services, 'storage' | 'options'>,
  { id, project, environment, state, changes }: ChangeRequest,
  known?: readonly ChangeRequest[],
): Promise<readonly Pick<ChangeRequestSummary, 'id' | 'title' | 'schedule'>[]> {
  if (options.schedule === 'off' || closedStates.includes(state) || changes.length === 0) return []
  const subjects = scheduledSubjects(changes.map(changeSubject))
  const items = known ?? (await storage.summaries({ subjects, viewer: null }, readPage)).items
  const others = items.filter((one) => one.id !== id && one.project === project && one.environment === environment)
  return sortedByTime(others).slice(0, maxCount)
}

function sortedByTime<One extends Pick<ChangeRequestSummary, 'schedule'>>(schedules: readonly One[]): readonly One[] {
  const timeOf = ({ schedule }: One) => schedule?.scheduledAt ?? ''
  return schedules.toSorted((one, other) => (timeOf(one) < timeOf(other) ? -1 : 1))
}

/** The change request that it follows, and the scheduled ones that follow it, the earliest first. */
export async function findFollowing(services: Pick<Services, 'storage'>, changeRequest: ChangeRequest) {
  const id = predecessorIn(changeRequest)
  const [follows, followers] = await Promise.all([
    id === undefined ? undefined : services.storage.find({ project: changeRequest.project }, id),
    followersOf(services, changeRequest),
  ])
  return {
    follows: follows?.changeRequest,
    followedBy: sortedByTime(followers.map((one) => one.changeRequest)),
  }
}

/** The flags once its predecessors were applied, the first of them first; undefined if it waits for none. */
export async function foresee(
  services: Services,
  changeRequest: ChangeRequest,
  flags: FlagState | undefined,
): Promise<FlagState | undefined> {
  const row: ChangeRequest[] = []
  let last = changeRequest
  while (isWaiting(last) && row.length < maxInRow) {
    const found = await services.storage.find({ project: last.project }, last.scheduling?.follows ?? 0)
    if (found === undefined || found.changeRequest.state !== 'Scheduled') break
    last = found.changeRequest
    row.unshift(last)
  }
  if (flags === undefined || row.length === 0) return undefined
  // The flags of all of them: those of this one alone may lack some.
  const all = await currentFlagsOf(services, [changeRequest, ...row])
  return row.reduce<FlagState | undefined>(
    (before, one) => before && applySteps({ ...startOfDiff(one, before), flags: before }).after,
    all,
  )
}

/** The current names of the segments that its changes alter, and of those that their strategies use. */
export async function findSegmentNames(
  services: Services,
  changeRequest: ChangeRequest,
  diffs: readonly ChangeDiff[],
  known: ReadonlyMap<number, string>,
): Promise<ReadonlyMap<number, string>> {
  const { changes } = changeRequest
  const used = [...changes.map(({ payload }) => payload), ...diffs.flatMap(({ before, after }) => [before, after])]
  const mentioned = new Set([...alteredSegments(changeRequest), ...used.flatMap(segmentsIn)])
  const unknown = [...mentioned].filter((id) => !known.has(id))
  return new Map([...known, ...(await namesOfSegments(services, changeRequest, unknown))])
}

export async function findSegmentUse(
  changeRequest: ChangeRequest,
  flags: FlagState | undefined,
  hasPermission: PermissionCheck,
): Promise<ReadonlyMap<number, readonly SegmentUser[]>> {
  if (flags === undefined) return new Map()
  const { project } = changeRequest
  const ids = [...new Set(alteredSegments(changeRequest))]
  const found = ids.map(async (id) => [id, await usersOfSegment(id, flags, { project, hasPermission })] as const)
  return new Map((await Promise.all(found)).flatMap(([id, users]) => (users === null ? [] : [[id, users]])))
}

function alteredSegments({ changes }: ChangeRequest): readonly number[] {
  return changes.flatMap((change) => (change.feature === null ? segmentId(change) : []))
}
