import type { ChangeRequest } from '../../domain/change-request'
import type { ChangeRequestSummary } from '../../domain/content/summary'
import { subjectsOfSummary, summarize } from '../../domain/content/summary'
import {
  type ConflictingSchedule,
  contendedTarget,
  findScheduleConflicts,
} from '../../domain/schedule/schedule-conflicts'
import { isClosed } from '../flags/places'
import { readPages } from '../pages'
import type { Services } from '../services'

/** By the id of the change request, then by that of the change. */
export type ScheduleConflicts = ReadonlyMap<number, ReadonlyMap<number, readonly ConflictingSchedule[]>>

/** Other scheduled change requests with the same target (contract 5.6). Nothing is read if scheduling is off. */
export async function scheduleConflicts(
  { storage, options }: Services,
  changeRequests: readonly ChangeRequest[],
): Promise<ScheduleConflicts> {
  if (options.schedule === 'off') return new Map()
  const contending = changeRequests.filter(
    (one) => !isClosed(one) && one.changes.some((change) => contendedTarget(change, one) !== undefined),
  )
  const subjects = new Set(contending.flatMap((one) => subjectsOfSummary(summarize(one))))
  const isBeside = (summary: ChangeRequestSummary) =>
    subjectsOfSummary(summary).some((subject) => subjects.has(subject))
  const scheduled: ChangeRequest[] = []
  for (const project of new Set(contending.map((one) => one.project))) {
    const filter = { projects: [project], states: ['Scheduled'], viewer: null } as const
    for await (const { items } of readPages((page) => storage.summaries(filter, page))) {
      const found = await Promise.all(items.filter(isBeside).map(({ id }) => storage.find({ project }, id)))
      scheduled.push(...found.flatMap((one) => one?.changeRequest ?? []).filter(({ state }) => state === 'Scheduled'))
    }
  }
  return new Map(contending.map((one) => [one.id, findScheduleConflicts(one, scheduled)]))
}
