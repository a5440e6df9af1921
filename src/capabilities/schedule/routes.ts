import type { ChangeRequest } from '../../domain/change-request'
import { featureSubject, scheduledSubjects } from '../../domain/content/grouping'
import { type ScheduledQuery, touches } from '../../domain/schedule/schedule-conflicts'
import type { FreezesView, PresetScheduleRequest, ScheduledChangeRequestItemView } from '../../generated'
import { jsonPagesReply, viewEmpty, viewWritten } from '../../http/replies'
import { jsonReply } from '../../http/reply'
import {
  bodilessErrors,
  ifMatch,
  inProject,
  parseProject,
  type Route,
  readErrors,
  route,
  writeErrors,
} from '../../http/route'
import { listFreezes } from '../../kernel/facts/reach'
import type { Services } from '../../kernel/services'
import { toFreezeView } from '../../kernel/view/change-request'
import { mapPages, type Page, readPages } from '../../kernel/view/pages'
import type { Actor } from '../../ports/access'
import type { ChangeRequestFilter, StoredChangeRequest } from '../../ports/storage/change-requests'
import { checkBody, parseScheduleTime } from '../../validation/check-body'
import { describeParameters, readParameters, texts } from '../../validation/queries/query-parameter'
import { presetSchedule, withdrawPresetSchedule } from './schedule'

interface ScheduledSearch extends ScheduledQuery {
  readonly actor: Actor
  readonly project: string
}

/** The scheduled change requests that change a target of the query; none for an empty query (contract 3.4). */
export async function* listScheduled(
  { storage }: Services,
  { actor, project, ...query }: ScheduledSearch,
): AsyncGenerator<Page<StoredChangeRequest>> {
  if (query.features.length + query.strategyIds.length + query.variantsOf.length === 0) {
    return yield { items: [], last: true }
  }
  const flags = [...query.features, ...query.variantsOf]
  // The id of a strategy alone does not show its flag.
  const filter: ChangeRequestFilter =
    query.strategyIds.length === 0
      ? { subjects: scheduledSubjects(flags.map(featureSubject)), viewer: actor.id }
      : { projects: [project], states: ['Scheduled'], viewer: actor.id }
  const scheduled = readPages((page) => storage.list(filter, page))
  const isListed = (one: ChangeRequest) => one.project === project && touches(one, query)
  yield* mapPages(scheduled, (items) => items.filter(({ changeRequest }) => isListed(changeRequest)))
}

const parameters = {
  feature: texts('Match change requests with any change of this flag. It can be repeated.'),
  strategyId: texts('Match change requests that update or delete this strategy. It can be repeated.'),
  variantForFlag: texts('Match change requests that set the variants of this flag. It can be repeated.'),
}

const scheduling = {
  path: '/projects/:projectId/change-requests/:id/scheduling',
  extension: true,
  permissions: ['READ_CHANGE_REQUEST'],
  headers: ifMatch,
} as const

export const scheduleRoutes: readonly Route[] = [
  route({
    ...inProject,
    path: '/projects/:projectId/change-requests/scheduled',
    operationId: 'getScheduledChangeRequests',
    summary: 'List the schedules of a flag',
    description:
      'Returns the scheduled change requests that match any of the parameters, newest first. Without a parameter there are none.',
    query: describeParameters(parameters),
    answer: { status: 200, schema: 'scheduled-list', description: 'The scheduled change requests.' },
    parse(context) {
      const { feature, strategyId, variantForFlag } = readParameters(parameters, context.query)
      return { ...parseProject(context), features: feature, strategyIds: strategyId, variantsOf: variantForFlag }
    },
    run: (input, services) => listScheduled(services, input),
    view: (found) => jsonPagesReply(mapPages(found, (items) => items.map(toScheduledItemView))),
  }),
  route({
    ...scheduling,
    method: 'put',
    operationId: 'presetSchedule',
    summary: 'Schedule before the approval',
    description:
      'Sets the time at which the change request is applied once it is approved, or `approval` to apply it immediately then. ' +
      'The last approval schedules it. One that is approved already is scheduled now.',
    body: 'preset-schedule',
    answer: { status: 200, schema: 'change-request', description: 'The change request.' },
    errors: [...writeErrors, 428],
    parse: (context) => ({ ...context.reference(), ...parsePresetSchedule(context.body) }),
    run: (input, services) => presetSchedule(services, input),
    view: viewWritten,
  }),
  route({
    ...scheduling,
    method: 'delete',
    operationId: 'withdrawPresetSchedule',
    summary: 'Withdraw a schedule that was set before the approval',
    description: 'Ends the schedule, if there is one. A scheduled change request is rejected or rebased instead.',
    answer: { status: 204, description: 'The change request has no such schedule.' },
    errors: bodilessErrors,
    parse: (context) => context.reference(),
    run: (input, services) => withdrawPresetSchedule(services, input),
    view: viewEmpty(204),
  }),
  route({
    method: 'get',
    path: '/projects/:projectId/environments/:environment/change-requests/freezes',
    operationId: 'getFreezes',
    extension: true,
    summary: 'Read the freezes',
    description:
      'Returns the freezes of the environment that are in force or yet to come. Some match the changes of certain flags or ' +
      'segments only.',
    permissions: ['READ_CHANGE_REQUEST'],
    answer: { status: 200, schema: 'freezes', description: 'The freezes.' },
    errors: readErrors,
    parse: ({ project, environment }) => ({ project, environment }),
    run: (place, services) => listFreezes(services, place),
    view: (freezes) => jsonReply({ freezes: freezes.map(toFreezeView) } satisfies FreezesView),
  }),
]

/** Reads the body of a preset schedule. It does not check whether the time has passed. @throws BadDataError with the first problem */
function parsePresetSchedule(body: unknown) {
  const { digest = null, ...time } = checkBody<PresetScheduleRequest>('presetSchedule', body)
  return { ...parseScheduleTime(time), digest }
}

/** A scheduled change request as the page of a flag lists it (contract 3.4). */
function toScheduledItemView({ changeRequest }: StoredChangeRequest): ScheduledChangeRequestItemView {
  const { id, environment, title } = changeRequest
  return { id, environment, ...(title === null ? {} : { title }) }
}
