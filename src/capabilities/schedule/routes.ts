import type { ScheduledQuery } from '../../domain/schedule/scheduled-query'
import { jsonPagesReply } from '../../http/json-pages'
import type { RequestContext } from '../../http/request-context'
import { type Route, route } from '../../http/route'
import { readErrors } from '../../http/route-description'
import { mapPages } from '../../kernel/pages'
import { describeParameters, readParameters, texts } from '../../validation/queries/query-parameter'
import type { QueryReader } from '../../validation/queries/query-reader'
import { listScheduled } from './list-scheduled'
import { toScheduledItemView } from './view'

/** What all reads of a project share. */
const inProject = { method: 'get', permissions: ['READ_CHANGE_REQUEST'], errors: readErrors } as const

const parseProject = ({ caller: { actor }, project }: RequestContext) => ({ actor, project })

const parameters = {
  feature: texts('A flag with any change. May stand more than once.'),
  strategyId: texts('A strategy that is changed or deleted. May stand more than once.'),
  variantForFlag: texts('A flag whose variants change. May stand more than once.'),
}

/** Routes about schedules. */
export const scheduleRoutes: readonly Route[] = [
  route({
    ...inProject,
    path: '/projects/:projectId/change-requests/scheduled',
    operationId: 'getScheduledChangeRequests',
    summary: 'List what is scheduled for a flag',
    description:
      'The scheduled change requests that touch any of what the parameters name, newest first; none without a parameter.',
    query: describeParameters(parameters),
    answer: { status: 200, schema: 'scheduled-list', description: 'Where each stands, and its title if it has one.' },
    parse: (context) => ({ ...parseProject(context), ...parseQuery(context.query) }),
    run: (input, services) => listScheduled(services, input),
    view: (found) => jsonPagesReply(mapPages(found, (items) => items.map(toScheduledItemView))),
  }),
]

/** Reads the query of the list of scheduled change requests. @throws BadDataError for a NUL character */
function parseQuery(query: QueryReader): ScheduledQuery {
  const { feature, strategyId, variantForFlag } = readParameters(parameters, query)
  return { features: feature, strategyIds: strategyId, variantsOf: variantForFlag }
}
