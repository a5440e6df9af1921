import {
  countActionable,
  countProject,
  listPending,
  listPendingFor,
  listProject,
  listScheduled,
} from './lists'
import { search } from './search'
import { mapPages } from '../../kernel/pages'
import { changeRequestSearchParameters, parseChangeRequestSearch } from '../../validation/queries/change-request-search'
import { parseScheduledSearch, scheduledSearchParameters } from '../../validation/queries/scheduled-search'
import { jsonPagesReply } from '../../http/json-pages'
import { jsonReply } from '../../http/reply'
import type { RequestContext } from '../../http/request-context'
import { type Route, route } from '../../http/route'
import { readErrors } from '../../http/route-description'
import { viewList } from '../../http/replies'
import { toScheduledItemView, toSearchItemView } from './view'

const list = { status: 200, schema: 'change-request-list', description: 'The change requests, newest first.' } as const

/** What all reads of a project share. */
const inProject = { method: 'get', permissions: ['READ_CHANGE_REQUEST'], errors: readErrors } as const

const parseProject = ({ caller: { actor }, project }: RequestContext) => ({ actor, project })

/** Lists, counts and the search. */
export const listRoutes: readonly Route[] = [
  route({
    ...inProject,
    path: '/projects/:projectId/change-requests/count',
    operationId: 'countChangeRequests',
    summary: 'Count by state',
    description:
      'How many change requests the project has, in all and by state; drafts of other people are not counted.',
    answer: { status: 200, schema: 'change-request-counts', description: 'The counts.' },
    parse: parseProject,
    run: (input, services) => countProject(services, input),
    view: (counts) => jsonReply(counts),
  }),
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
  ...[
    {
      path: '/projects/:projectId/change-requests/open',
      operationId: 'getOpenChangeRequests',
      summary: "List the caller's open ones (old path)",
      description: 'The same as pending.',
    },
    {
      path: '/projects/:projectId/change-requests/pending',
      operationId: 'getPendingChangeRequests',
      summary: "List the caller's open ones",
      description: "The caller's own change requests in Draft, In review and Approved, where change requests are on.",
    },
  ].map((description) =>
    route({
      ...inProject,
      ...description,
      answer: list,
      parse: parseProject,
      run: (input, services) => listPending(services, input),
      view: viewList,
    }),
  ),
  route({
    ...inProject,
    path: '/projects/:projectId/change-requests/actionable',
    operationId: 'countActionableChangeRequests',
    summary: 'Count what waits for the caller',
    description: 'How many change requests of the project the caller could approve or apply now.',
    answer: { status: 200, schema: 'actionable', description: 'The count.' },
    parse: parseProject,
    run: (input, services) => countActionable(services, input),
    view: (total) => jsonReply({ total }),
  }),
  route({
    ...inProject,
    path: '/projects/:projectId/change-requests',
    operationId: 'getChangeRequests',
    summary: 'List the change requests of a project',
    description: 'The newest 300 in all states, without drafts of other people.',
    answer: list,
    parse: parseProject,
    run: (input, services) => listProject(services, input),
    view: viewList,
  }),
  route({
    ...inProject,
    path: '/projects/:projectId/change-requests/pending/:featureName',
    operationId: 'getPendingChangeRequestsForFeature',
    summary: 'List the open ones of a flag',
    description: "Anybody's open and scheduled change requests with a change of the flag.",
    answer: list,
    parse: (context) => ({ ...parseProject(context), feature: context.name('featureName') }),
    run: (input, services) => listPendingFor(services, input),
    view: viewList,
  }),
  route({
    method: 'get',
    path: '/search/change-requests',
    operationId: 'searchChangeRequests',
    summary: 'Search in all projects',
    description: 'Change requests of all projects that the caller may read.',
    permissions: [],
    query: changeRequestSearchParameters,
    answer: { status: 200, schema: 'change-request-search', description: 'One page of what was found, and how much.' },
    errors: readErrors,
    parse: ({ caller: { actor }, query }) => ({ actor, ...parseChangeRequestSearch(query) }),
    run: (input, services) => search(services, input),
    view({ pages, total }) {
      const views = mapPages(pages, (items) => items.map(toSearchItemView))
      return jsonPagesReply(views, '{"changeRequests":[', `],"total":${total}}`)
    },
  }),
]
