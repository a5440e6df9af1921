import { viewEmpty, viewWritten } from '../../http/replies'
import { emptyReply } from '../../http/reply'
import {
  bodilessErrors,
  type IdempotentRoute,
  idempotencyKey,
  idempotentRoute,
  ifMatch,
  ifNoneMatch,
  type Route,
  route,
  writeErrors,
} from '../../http/route'
import { type AddChanges, addChanges, discardChange, discardDraft, editChange } from './changes'
import { parseChange, parseChanges } from './changes-body'

/** Proposes changes. A gate runs it instead of the write that it stops. */
export const addChangesRoute = {
  method: 'post',
  path: '/projects/:projectId/environments/:environment/change-requests',
  operationId: 'addChanges',
  summary: 'Propose changes',
  description:
    "Adds one change or a list of changes atomically to the caller's open change request of the project and environment, " +
    'or to a new one in the state Draft. Returns the whole change request.',
  permissions: ['CREATE_CHANGE_REQUEST'],
  headers: { ...ifMatch, ...ifNoneMatch, ...idempotencyKey },
  body: 'change-submission',
  idempotent: 'changes',
  answer: { status: 200, schema: 'change-request', description: 'The change request with all of its changes.' },
  errors: [...writeErrors, 422],
  parse: (
    { caller, project, environment, body, mustCreate },
    { actions, actionSchemas, options: { limits, featureNames } },
  ): AddChanges => ({
    ...caller,
    project,
    environment,
    changes: parseChanges(body, {
      ...{ changesPerRequest: limits.changesPerRequest, actions, actionSchemas, featureNames },
    }),
    listed: Array.isArray(body),
    mustCreate,
  }),
  run: (input, services) => addChanges(services, input),
  view: viewWritten,
} as const satisfies IdempotentRoute<AddChanges>

export const proposalRoutes: readonly Route[] = [
  idempotentRoute(addChangesRoute),
  route({
    method: 'delete',
    path: '/projects/:projectId/change-requests/:id',
    operationId: 'discardDraft',
    summary: 'Delete a draft',
    description: 'Deletes a draft. Its events stay in the log. Only the author can do this.',
    permissions: ['READ_CHANGE_REQUEST'],
    headers: ifMatch,
    answer: { status: 200, description: 'The draft was deleted.' },
    errors: bodilessErrors,
    parse: (context) => context.reference(),
    run: (input, services) => discardDraft(services, input),
    view: () => emptyReply(200),
  }),
  route({
    method: 'delete',
    path: '/projects/:projectId/change-requests/:changeRequestId/changes/:changeId',
    operationId: 'discardChange',
    summary: 'Delete a change',
    description: 'Removes one change. This removes all approvals. Only the author can do this.',
    permissions: ['READ_CHANGE_REQUEST'],
    headers: ifMatch,
    answer: { status: 200, description: 'The change was removed.' },
    errors: bodilessErrors,
    parse: (context) => ({ ...context.reference('changeRequestId'), changeId: context.id('changeId') }),
    run: (input, services) => discardChange(services, input),
    view: viewEmpty(200),
  }),
  route({
    method: 'put',
    path: '/projects/:projectId/change-requests/:changeRequestId/changes/:changeId',
    operationId: 'editChange',
    summary: 'Edit a change',
    description:
      'Replaces one change by another, which gets a new id. This removes all approvals. Only the author can do this.',
    permissions: ['READ_CHANGE_REQUEST'],
    headers: ifMatch,
    body: 'change-edit',
    answer: { status: 200, schema: 'change-request', description: 'The change request with all of its changes.' },
    errors: writeErrors,
    parse: (context, { actions, actionSchemas, options: { featureNames } }) => ({
      ...context.reference('changeRequestId'),
      changeId: context.id('changeId'),
      change: parseChange(context.body, { actions, actionSchemas, featureNames }),
    }),
    run: (input, services) => editChange(services, input),
    view: viewWritten,
  }),
]
