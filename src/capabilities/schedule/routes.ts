import type { ScheduledChangeRequestItemView } from '../../generated'
import { jsonPagesReply } from '../../http/json-pages'
import { type Route, route } from '../../http/route'
import { inProject, parseProject } from '../../http/route-description'
import { mapPages } from '../../kernel/pages'
import type { StoredChangeRequest } from '../../ports/storage'
import { parseScheduledSearch, scheduledSearchParameters } from '../../validation/queries/scheduled-search'
import { listScheduled } from './list-scheduled'

/** Routes about schedules. */
export const scheduleRoutes: readonly Route[] = [
  route({
    ...inProject,
    path: '/projects/:projectId/change-requests/scheduled',
    operationId: 'getScheduledChangeRequests',
    summary: 'List what is scheduled for a flag',
    description:
      'The scheduled change requests that touch any of what the parameters name, newest first; none without a parameter.',
    query: scheduledSearchParameters,
    answer: { status: 200, schema: 'scheduled-list', description: 'Where each stands, and its title if it has one.' },
    parse: (context) => ({ ...parseProject(context), ...parseScheduledSearch(context.query) }),
    run: (input, services) => listScheduled(services, input),
    view: (found) => jsonPagesReply(mapPages(found, (items) => items.map(toScheduledItemView))),
  }),
]

/** A scheduled change request as a page about a flag lists it (contract 3.4). */
function toScheduledItemView({ changeRequest }: StoredChangeRequest): ScheduledChangeRequestItemView {
  const { id, environment, title } = changeRequest
  return { id, environment, ...(title === null ? {} : { title }) }
}
