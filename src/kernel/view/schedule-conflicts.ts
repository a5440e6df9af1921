import type { ChangeRequest } from '../../domain/change-request'
import { changeSubject } from '../../domain/content/grouping'
import {
  type ConflictingSchedule,
  contendedTarget,
  findScheduleConflicts,
} from '../../domain/schedule/schedule-conflicts'
import { isClosed } from '../host/places'
import type { HostServices } from '../host-services'
import { readPages } from './pages'

/** By the id of the change request, then by that of the change. */
export type ScheduleConflicts = ReadonlyMap<number, ReadonlyMap<number, readonly ConflictingSchedule[]>>

/** Other scheduled change requests with the same target (contract 5.6). Nothing is read if scheduling is off. */
export async function scheduleConflicts(
  { storage, options }: HostServices,
  changeRequests: readonly ChangeRequest[],
): Promise<ScheduleConflicts> {
  if (options.schedule === 'off') return new Map()
  const contending = new Map<ChangeRequest, readonly string[]>()
  for (const one of changeRequests) {
    const contended = one.changes.filter((change) => !isClosed(one) && contendedTarget(change, one) !== undefined)
    if (contended.length > 0) contending.set(one, contended.map(changeSubject))
  }
  if (contending.size === 0) return new Map()
  const projects = [...new Set([...contending.keys()].map(({ project }) => project))]
  const subjects = [...new Set([...contending.values()].flat())]
  const filter = { projects, states: ['Scheduled'], subjects, viewer: null } as const
  const scheduled: ChangeRequest[] = []
  for await (const { items } of readPages((page) => storage.list(filter, page))) {
    scheduled.push(...items.map(({ changeRequest }) => changeRequest))
  }
  return new Map([...contending.keys()].map((one) => [one.id, findScheduleConflicts(one, scheduled)]))
}
