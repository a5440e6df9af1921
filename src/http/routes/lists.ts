import {
  countActionable,
  countProject,
  listPending,
  listPendingFor,
  listProject,
  listScheduled,
} from '../../operations/change-requests/lists'
import { search } from '../../operations/change-requests/search'
import { mapPages } from '../../operations/runtime/pages'
import { parseSearchQuery } from '../../validation/queries/change-requests'
import { jsonPagesReply } from '../pipeline/json-pages'
import { jsonReply } from '../pipeline/reply'
import { pathScope } from '../pipeline/request-context'
import { toScheduledItemView, toSearchItemView } from '../views/change-request'
import { listReply } from './replies'
import { type Parameter, projectOf, type Route, readErrors } from './route'

const list = { status: 200, schema: 'change-request-list', description: 'The change requests, newest first.' } as const
const permissions = ['READ_CHANGE_REQUEST'] as const

const pending = {
  method: 'get',
  permissions,
  answer: list,
  errors: readErrors,
  scope: pathScope,
  run: async (call, services) =>
    listReply(services, listPending(services, { actor: call.actor, project: projectOf(call) })),
} as const satisfies Partial<Route>

const anyOf = (description: string): Parameter => ({
  description: `${description} May stand more than once.`,
  schema: { type: 'array', items: { type: 'string' } },
})

const scheduledParameters: Readonly<Record<string, Parameter>> = {
  feature: anyOf('A flag with any change.'),
  strategyId: anyOf('A strategy that is changed or deleted.'),
  variantForFlag: anyOf('A flag whose variants change.'),
}

const searchParameters: Readonly<Record<string, Parameter>> = {
  createdBy: { description: 'IS: and the id of the author.', schema: { type: 'string' } },
  requestedApproverId: { description: 'IS: and the id of a person asked to approve.', schema: { type: 'string' } },
  state: { description: 'Only open or only closed ones.', schema: { type: 'string', enum: ['IS:open', 'IS:closed'] } },
  offset: { description: 'How many to leave out.', schema: { type: 'integer', minimum: 0, default: 0 } },
  limit: { description: 'How many to answer.', schema: { type: 'integer', minimum: 1, maximum: 1000, default: 50 } },
}

/** Lists, counts and the search. */
export const listRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/projects/:projectId/change-requests/count',
    operationId: 'countChangeRequests',
    summary: 'Count by state',
    description:
      'How many change requests the project has, in all and by state; drafts of other people are not counted.',
    permissions,
    answer: { status: 200, schema: 'change-request-counts', description: 'The counts.' },
    errors: readErrors,
    scope: pathScope,
    run: async (call, services) =>
      jsonReply(await countProject(services, { actor: call.actor, project: projectOf(call) })),
  },
  {
    method: 'get',
    path: '/projects/:projectId/change-requests/scheduled',
    operationId: 'getScheduledChangeRequests',
    summary: 'List what is scheduled for a flag',
    description:
      'The scheduled change requests that touch any of what the parameters name, newest first; none without a parameter. ' +
      'Nothing can be scheduled in this version.',
    permissions,
    query: scheduledParameters,
    answer: { status: 200, schema: 'scheduled-list', description: 'Where each stands, and its title if it has one.' },
    errors: readErrors,
    scope: pathScope,
    async run(call, services) {
      const found = listScheduled(services, {
        actor: call.actor,
        project: projectOf(call),
        features: call.queryAll('feature'),
        strategyIds: call.queryAll('strategyId'),
        variantsOf: call.queryAll('variantForFlag'),
      })
      return jsonPagesReply(mapPages(found, (items) => items.map(toScheduledItemView)))
    },
  },
  {
    ...pending,
    path: '/projects/:projectId/change-requests/open',
    operationId: 'getOpenChangeRequests',
    summary: "List the caller's open ones (old path)",
    description: 'The same as pending.',
  },
  {
    ...pending,
    path: '/projects/:projectId/change-requests/pending',
    operationId: 'getPendingChangeRequests',
    summary: "List the caller's open ones",
    description: "The caller's own change requests in Draft, In review and Approved, where change requests are on.",
  },
  {
    method: 'get',
    path: '/projects/:projectId/change-requests/actionable',
    operationId: 'countActionableChangeRequests',
    summary: 'Count what waits for the caller',
    description: 'How many change requests of the project the caller could approve or apply now.',
    permissions,
    answer: { status: 200, schema: 'actionable', description: 'The count.' },
    errors: readErrors,
    scope: pathScope,
    async run(call, services) {
      return jsonReply({ total: await countActionable(services, { actor: call.actor, project: projectOf(call) }) })
    },
  },
  {
    method: 'get',
    path: '/projects/:projectId/change-requests',
    operationId: 'getChangeRequests',
    summary: 'List the change requests of a project',
    description: 'The newest 300 in all states, without drafts of other people.',
    permissions,
    answer: list,
    errors: readErrors,
    scope: pathScope,
    run: async (call, services) =>
      listReply(services, listProject(services, { actor: call.actor, project: projectOf(call) })),
  },
  {
    method: 'get',
    path: '/projects/:projectId/change-requests/pending/:featureName',
    operationId: 'getPendingChangeRequestsForFeature',
    summary: 'List the open ones of a flag',
    description: "Anybody's open and scheduled change requests with a change of the flag.",
    permissions,
    answer: list,
    errors: readErrors,
    scope: pathScope,
    async run(call, services) {
      const feature = call.name('featureName')
      return listReply(services, listPendingFor(services, { actor: call.actor, project: projectOf(call), feature }))
    },
  },
  {
    method: 'get',
    path: '/search/change-requests',
    operationId: 'searchChangeRequests',
    summary: 'Search in all projects',
    description: 'Change requests of all projects that the caller may read.',
    permissions: [],
    query: searchParameters,
    answer: { status: 200, schema: 'change-request-search', description: 'One page of what was found, and how much.' },
    errors: readErrors,
    scope: () => ({}),
    async run(call, services) {
      const values = Object.fromEntries(Object.keys(searchParameters).map((name) => [name, call.query(name)]))
      const { pages, total } = await search(services, { actor: call.actor, ...parseSearchQuery(values) })
      const views = mapPages(pages, (items) => items.map(toSearchItemView))
      return jsonPagesReply(views, '{"changeRequests":[', `],"total":${total}}`)
    },
  },
]
