import type { ChangeRequest, Person } from '../../domain/change-request'
import { changeSubject, scheduledSubjects } from '../../domain/content/grouping'
import { peopleIn } from '../../domain/content/objections'
import type { DefaultChange, FlagState } from '../../domain/flag-state'
import { type Conflicts, findConflicts, noConflicts } from '../../domain/flags/conflicts'
import { findDefaultChanges } from '../../domain/flags/default-changes'
import { isClosed } from '../../domain/lifecycle'
import {
  type ConflictingSchedule,
  contendedTarget,
  findScheduleConflicts,
} from '../../domain/schedule/schedule-conflicts'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'
import { findPeople, idsInDirectory } from '../host/find-users'
import { currentFlagsOf, groupByPlace, placeOf, segmentNamesIn } from '../host/flag-state'
import type { People } from '../host/person-views'
import type { HostServices } from '../host-services'
import { readPages } from './pages'

/** A change request with everything that is computed on read (contract 5.2, 5.5, 5.6). */
export interface Described extends StoredChangeRequest, People {
  /** The current flags; undefined without a gateway, and once it is closed. */
  readonly flags: FlagState | undefined
  /** Why the gateway failed, so that `flags` is undefined; undefined if it did not. */
  readonly flagsError: unknown
  readonly conflicts: Conflicts
  /** Other scheduled change requests with the same target, by the id of the change. */
  readonly scheduleConflicts: ReadonlyMap<number, readonly ConflictingSchedule[]>
  /** Among others, all scheduled ones with a flag or segment of its changes; undefined if they were not read. */
  readonly scheduled: readonly ChangeRequest[] | undefined
  readonly defaultChanges: ReadonlyMap<string, DefaultChange>
  /** The current names of segments, if a flag gateway returns them. */
  readonly segmentNames: ReadonlyMap<number, string>
}

/** What is read once for all change requests of a project and environment. */
type PlaceState = Pick<Described, 'flags' | 'flagsError' | 'segmentNames'>

const unknownState: PlaceState = { flags: undefined, flagsError: undefined, segmentNames: new Map() }

/**
 * What the description is for. After a write, the response must succeed even if a hook fails: only the data of that hook is
 * missing. The inbox and the review must succeed even if the gateway fails.
 */
export type DescribedFor = 'read' | 'write' | 'review'

export async function describeOne(
  services: HostServices,
  stored: StoredChangeRequest,
  purpose: DescribedFor,
): Promise<Described> {
  const [described] = await describeAll(services, [stored], purpose)
  if (described === undefined) throw new Error('No change request was described.')
  return described
}

/** Change requests in their order; the gateway is called once for each project and environment. */
export async function describeAll(
  services: HostServices,
  stored: readonly StoredChangeRequest[],
  purpose: DescribedFor = 'read',
): Promise<Described[]> {
  const changeRequests = stored.map(({ changeRequest }) => changeRequest)
  const places = groupByPlace(changeRequests.filter((one) => !isClosed(one)))
  const orUndefined = <Value>(result: Promise<Value>): Promise<Value | undefined> =>
    purpose === 'write' ? result.catch((err: unknown) => logFailedHook(services, err)) : result
  const stateIn = async (group: readonly ChangeRequest[]): Promise<PlaceState> => {
    try {
      const flags = await currentFlagsOf(services, group)
      return { flags, flagsError: undefined, segmentNames: segmentNamesIn(flags) }
    } catch (flagsError) {
      if (purpose === 'read') throw flagsError
      if (purpose === 'write') logFailedHook(services, flagsError)
      return { ...unknownState, flagsError }
    }
  }
  const ids = changeRequests.flatMap((one) => [...one.requestedApprovers, ...idsInDirectory(peopleOf(one))])
  const [people, scheduled, states] = await Promise.all([
    orUndefined(findPeople(services, ids)),
    orUndefined(scheduleConflicts(services, changeRequests)),
    Promise.all([...places].map(async ([place, group]) => [place, await stateIn(group)] as const)),
  ])
  const stateOf = new Map(states)
  return stored.map((one) => {
    const { changeRequest } = one
    const state = (isClosed(changeRequest) ? undefined : stateOf.get(placeOf(changeRequest))) ?? unknownState
    const { flags } = state
    return {
      ...one,
      ...state,
      conflicts: flags === undefined ? noConflicts : findConflicts(changeRequest, flags),
      ...(scheduled?.get(changeRequest.id) ?? { scheduled: undefined, scheduleConflicts: new Map() }),
      defaultChanges: findDefaultChanges(changeRequest, flags),
      people,
    }
  })
}

export function* peopleOf(changeRequest: ChangeRequest): Generator<Person> {
  const { createdBy, approvals, rejections, comments, changes, applying, emergency, ended, presetSchedule } =
    changeRequest
  yield createdBy
  if (applying != null) yield applying.by.person
  if (emergency?.acknowledgement != null) yield emergency.acknowledgement.createdBy
  if (ended !== undefined) yield ended.by
  if (presetSchedule !== undefined) yield presetSchedule.by.person
  if (presetSchedule?.withdrawn?.by != null) yield presetSchedule.withdrawn.by
  for (const { by } of changeRequest.customFields ?? []) yield by
  for (const { by } of changeRequest.checkReports ?? []) yield by
  for (const { resolved } of comments) if (resolved !== undefined) yield resolved.by
  for (const { by, causedBy } of changeRequest.voidedApprovals ?? []) yield* [by, causedBy]
  yield* peopleIn(changeRequest.objections ?? [])
  for (const { createdBy: person } of [...approvals, ...rejections, ...comments, ...changes]) yield person
}

/** The write is stored, so its response must be a success. The next read computes what is missing. */
function logFailedHook({ logger }: HostServices, error: unknown): undefined {
  const err = (error as { cause?: unknown } | null)?.cause ?? error
  logger.warn({ err }, 'A change request was stored, but a hook of the host app failed, so the response is incomplete.')
}

/** Scheduled change requests of the same flags and segments (contract 5.6). Nothing is read if scheduling is off. */
async function scheduleConflicts(
  { storage, options }: HostServices,
  changeRequests: readonly ChangeRequest[],
): Promise<ReadonlyMap<number, Pick<Described, 'scheduled' | 'scheduleConflicts'>>> {
  if (options.schedule === 'off') return new Map()
  const contending = changeRequests.filter(
    (one) => !isClosed(one) && one.changes.some((change) => contendedTarget(change, one) !== undefined),
  )
  if (contending.length === 0) return new Map()
  const subjects = scheduledSubjects(contending.flatMap(({ changes }) => changes.map(changeSubject)))
  const filter = { subjects, viewer: null }
  const scheduled: ChangeRequest[] = []
  for await (const { items } of readPages((page) => storage.list(filter, page))) {
    scheduled.push(...items.map(({ changeRequest }) => changeRequest))
  }
  const found = (one: ChangeRequest) => ({ scheduled, scheduleConflicts: findScheduleConflicts(one, scheduled) })
  return new Map(contending.map((one) => [one.id, found(one)]))
}
