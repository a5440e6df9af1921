import { jsonPagesReply, viewList, viewRead } from '../../http/replies'
import { jsonReply } from '../../http/reply'
import { inProject, parseProject, type Route, readErrors, route } from '../../http/route'
import { findVisible } from '../../kernel/step/step-input'
import { mapPages } from '../../kernel/view/pages'
import { changeRequestExportParameters, parseChangeRequestExport } from '../../validation/queries/change-request-export'
import { changeRequestSearchParameters, parseChangeRequestSearch } from '../../validation/queries/change-request-search'
import { parseReviewSearch, reviewSearchParameters } from '../../validation/queries/review-search'
import { toSearchItemView } from './describe-summaries'
import { openExport, viewExport } from './export'
import { countActionable, countProject, listPending, listPendingFor, listProject } from './lists'
import { viewReviews } from './review-view'
import { readInbox } from './reviews'
import { search } from './search'

const list = { status: 200, schema: 'change-request-list', description: 'The change requests, newest first.' } as const

export const listRoutes: readonly Route[] = [
  route({
    method: 'get',
    path: '/projects/:projectId/change-requests/:id',
    operationId: 'getChangeRequest',
    summary: 'Read a change request',
    description: 'Returns the change request with its changes, votes, comments and conflicts.',
    permissions: ['READ_CHANGE_REQUEST'],
    answer: { status: 200, schema: 'change-request', description: 'The change request.' },
    errors: readErrors,
    parse: (context) => context.reference(),
    run: (input, services) => findVisible(services, input, input.actor),
    view: viewRead,
  }),
  route({
    ...inProject,
    path: '/projects/:projectId/change-requests/count',
    operationId: 'countChangeRequests',
    summary: 'Count change requests by state',
    description:
      'Returns the number of change requests of the project, in total and by state. Drafts of other users are not counted.',
    answer: { status: 200, schema: 'change-request-counts', description: 'The counts.' },
    parse: parseProject,
    run: (input, services) => countProject(services, input),
    view: (counts) => jsonReply(counts),
  }),
  ...[
    {
      path: '/projects/:projectId/change-requests/open',
      operationId: 'getOpenChangeRequests',
      summary: "List the caller's open change requests (old path)",
      description: 'Returns the same as the path `pending`.',
    },
    {
      path: '/projects/:projectId/change-requests/pending',
      operationId: 'getPendingChangeRequests',
      summary: "List the caller's open change requests",
      description:
        "Returns the caller's change requests in the states Draft, In review and Approved, in environments where change " +
        'requests are enabled.',
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
    summary: 'Count change requests that the caller can approve or apply',
    description: 'Returns the number of change requests of the project that the caller can approve or apply now.',
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
    description: 'Returns the newest 300 change requests in all states, without drafts of other users.',
    answer: list,
    parse: parseProject,
    run: (input, services) => listProject(services, input),
    view: viewList,
  }),
  route({
    ...inProject,
    path: '/projects/:projectId/change-requests/pending/:featureName',
    operationId: 'getPendingChangeRequestsForFeature',
    summary: 'List the open change requests of a flag',
    description: 'Returns the open and scheduled change requests that change the flag, of all authors.',
    answer: list,
    parse: (context) => ({ ...parseProject(context), feature: context.name('featureName') }),
    run: (input, services) => listPendingFor(services, input),
    view: viewList,
  }),
  route({
    method: 'get',
    path: '/search/change-requests',
    operationId: 'searchChangeRequests',
    summary: 'Search change requests in all projects',
    description: 'Returns matching change requests of all projects that the caller can read.',
    permissions: [],
    query: changeRequestSearchParameters,
    answer: {
      status: 200,
      schema: 'change-request-search',
      description: 'One page of matches, and the number of all matches.',
    },
    errors: readErrors,
    parse: ({ caller: { actor }, query }) => ({ actor, ...parseChangeRequestSearch(query) }),
    run: (input, services) => search(services, input),
    view({ pages, total }) {
      const views = mapPages(pages, (items) => items.map(toSearchItemView))
      return jsonPagesReply(views, '{"changeRequests":[', `],"total":${total}}`)
    },
  }),
  route({
    method: 'get',
    path: '/export/change-requests',
    operationId: 'exportChangeRequests',
    extension: true,
    summary: 'Export change requests',
    description:
      'Returns what is stored about all matching change requests of the projects that the caller can read, by id, without ' +
      'drafts. The response is streamed, whatever its size.',
    permissions: [],
    query: changeRequestExportParameters,
    answer: {
      status: 200,
      isLines: true,
      schema: 'exported-change-request',
      description:
        'One JSON object per line. The last line is the trailer ' +
        '`{"trailer":{"count":…,"firstId":…,"lastId":…,"filter":{…}}}`; `filter` has the filters of the request, by parameter. ' +
        'A response without it is incomplete. Continue it with `after`.',
    },
    errors: [400, 401, 403, 500, 503],
    parse: ({ caller: { actor }, query }) => ({ actor, ...parseChangeRequestExport(query) }),
    run: (input, services) => openExport(services, input),
    view: viewExport,
  }),
  route({
    method: 'get',
    path: '/reviews',
    operationId: 'getReviews',
    extension: true,
    summary: 'List reviews in all projects',
    description:
      'Returns change requests of all projects that the caller can read, with the missing approvals of each, and why it ' +
      'needs the caller.',
    permissions: [],
    query: reviewSearchParameters,
    answer: { status: 200, schema: 'reviews', description: 'One page of matches.' },
    errors: [400, 401, 500, 503],
    parse: ({ caller: { actor }, query }, { options: { featureNames } }) => ({
      actor,
      ...parseReviewSearch(query, featureNames),
    }),
    run: (search, services) => readInbox(services, search),
    view: viewReviews,
  }),
]
