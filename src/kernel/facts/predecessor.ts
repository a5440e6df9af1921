import type { Change, ChangeRequest, Scheduling } from '../../domain/change-request'
import { maxInRow, type Predecessor, predecessorIn, startOf } from '../../domain/content/follow'
import { followsSubject, isWaiting } from '../../domain/content/grouping'
import { phraseOf } from '../../domain/content/phrases'
import { instantOf } from '../../domain/instants'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'
import type { HostServices } from '../host-services'
import { appliedEventOf, changeRequestOf, laterTargetEvents, newestTargetEvents } from '../log/target-events'
import type { FactContext } from './fact-context'

type Targets = Scheduling['targets']
type ReadServices = Pick<HostServices, 'storage'>

/** The change request that a schedule follows, or is to follow; undefined for none. */
export async function predecessorOf(
  { services, changeRequest, after = changeRequest.scheduling?.follows }: FactContext,
  getTargets: () => Promise<Targets>,
): Promise<Predecessor | undefined> {
  if (after === undefined) return undefined
  const found = await services.storage.find({ project: changeRequest.project }, after)
  if (found === undefined) return { id: after, changeRequest: undefined, inRow: 1, changedSince: [] }
  const predecessor = found.changeRequest
  const inRow = await countInRow(services, changeRequest, predecessor)
  if (predecessor.state !== 'Applied') return { id: after, changeRequest: predecessor, inRow, changedSince: [] }
  const changedSince = await findChangedSince(services, changeRequest, predecessor, await getTargets())
  return { id: after, changeRequest: predecessor, inRow, changedSince }
}

/** One sentence for each change whose target was altered after its predecessor was applied. Empty without a flag gateway. */
export async function findChangedSince(
  { storage }: ReadServices,
  changeRequest: ChangeRequest,
  predecessor: ChangeRequest,
  targets: Targets,
): Promise<readonly string[]> {
  const appliedAt = instantOf(startOf(predecessor) ?? '')
  const appliedEvent = await appliedEventOf(storage, predecessor.id)
  // Old events may be removed from the log. Those of the apply are then gone, too.
  const later = laterTargetEvents(storage, changeRequest, appliedEvent ?? 0)
  const isLater = async (change: Change) => {
    if (targets[change.id] === undefined) return false
    const event = await later(change)
    return event !== undefined && (appliedEvent !== undefined || instantOf(event.createdAt) > appliedAt)
  }
  const altered = await Promise.all(changeRequest.changes.map(isLater))
  const changed = changeRequest.changes.filter((_, index) => altered[index])
  return changed.map(
    (change) => `${phraseOf(change)}: its target was changed after change request #${predecessor.id} was applied.`,
  )
}

/** Of the current targets, those that its predecessor altered last. */
export async function followedTargets(
  { services: { storage }, changeRequest }: FactContext,
  getTargets: () => Promise<Targets>,
): Promise<Targets> {
  const follows = predecessorIn(changeRequest)
  if (follows === undefined) return {}
  const { scheduling, changes } = changeRequest
  const targets = await getTargets()
  const newest = newestTargetEvents(storage, changeRequest)
  const isLeft = async (change: Change) => {
    const event = await newest(change)
    if (event !== undefined) return (await changeRequestOf(storage, event)) === follows
    // The event may be removed from the log by now. When its apply was noticed, nobody else had altered the target.
    return scheduling?.predecessorAppliedAt !== undefined && scheduling.targets[change.id] === targets[change.id]
  }
  const left = await Promise.all(changes.map(isLeft))
  const ids = new Set(changes.filter((_, index) => left[index]).map(({ id }) => `${id}`))
  return Object.fromEntries(Object.entries(targets).filter(([id]) => ids.has(id)))
}

/** The scheduled change requests that follow it. */
export async function followersOf(
  { storage }: ReadServices,
  { id, project }: Pick<ChangeRequest, 'id' | 'project'>,
): Promise<readonly StoredChangeRequest[]> {
  const followers: StoredChangeRequest[] = []
  const filter = { projects: [project], subjects: [followsSubject(id)], viewer: null }
  let page = await storage.list(filter, pageSize)
  for (;;) {
    followers.push(...page.items)
    if (page.next === null) return followers
    page = await storage.list(filter, { ...pageSize, after: page.next })
  }
}

const pageSize = { limit: 100, bytes: 1 << 20 }

/** The number of schedules in the row, from the first one to the last one that follows it. */
async function countInRow(services: ReadServices, current: ChangeRequest, predecessor: ChangeRequest): Promise<number> {
  return (await countBefore(services, current, predecessor)) + 1 + (await longestRowAfter(services, current, maxInRow))
}

/** Whether its predecessor follows it. Two requests that are decided concurrently can have this result. */
export async function isInCircle(
  services: ReadServices,
  current: ChangeRequest,
  predecessor: ChangeRequest,
): Promise<boolean> {
  return (await countBefore(services, current, predecessor)) === Number.POSITIVE_INFINITY
}

async function countBefore(
  services: ReadServices,
  current: ChangeRequest,
  predecessor: ChangeRequest,
): Promise<number> {
  let before = 0
  let next: ChangeRequest | undefined = predecessor
  while (next !== undefined && before <= maxInRow) {
    if (next.id === current.id) return Number.POSITIVE_INFINITY
    before += 1
    const id: number | undefined = isWaiting(next) ? next.scheduling?.follows : undefined
    next = id === undefined ? undefined : (await services.storage.find({ project: current.project }, id))?.changeRequest
  }
  return before
}

async function longestRowAfter(services: ReadServices, current: ChangeRequest, atMost: number): Promise<number> {
  if (current.state !== 'Scheduled' || atMost === 0) return 0
  const waiting = (await followersOf(services, current)).filter(({ changeRequest }) => isWaiting(changeRequest))
  const rows = await Promise.all(
    waiting.map(async ({ changeRequest }) => 1 + (await longestRowAfter(services, changeRequest, atMost - 1))),
  )
  return Math.max(0, ...rows)
}
