import { jsonPagesReply } from '../../http/json-pages'
import type { RequestContext } from '../../http/request-context'
import { type Route, route } from '../../http/route'
import { readErrors } from '../../http/route-description'
import { mapPages } from '../../kernel/pages'
import { parseScheduledSearch, scheduledSearchParameters } from '../../validation/queries/scheduled-search'
import { listScheduled } from './list-scheduled'
import { toScheduledItemView } from './view'

/** What all reads of a project share. */
const inProject = { method: 'get', permissions: ['READ_CHANGE_REQUEST'], errors: readErrors } as const

const parseProject = ({ caller: { actor }, project }: RequestContext) => ({ actor, project })

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
