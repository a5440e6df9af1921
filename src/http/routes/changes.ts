import { addChanges } from '../../operations/change-requests/add-changes'
import { discardChange, discardDraft, editChange } from '../../operations/change-requests/edit-changes'
import { findVisible } from '../../operations/change-requests/existing'
import { parseChange, parseChanges } from '../../validation/bodies/changes'
import { pathScope } from '../pipeline/request-context'
import { changeRequestReply, emptyReply } from './replies'
import { bodilessErrors, idempotencyKey, ifMatch, type Route, readErrors, reference, writeErrors } from './route'

/** Proposing, reading and editing. */
export const changeRoutes: readonly Route[] = [
  {
    method: 'post',
    path: '/projects/:projectId/environments/:environment/change-requests',
    operationId: 'addChanges',
    summary: 'Propose changes',
    description:
      "Adds one change or a list of changes, all or nothing, to the caller's open change request of the project and " +
      'environment, or to a new one in the state Draft. Answers the whole change request.',
    permissions: ['CREATE_CHANGE_REQUEST'],
    headers: { ...ifMatch, ...idempotencyKey },
    body: 'change-submission',
    idempotent: {
      kind: 'changes',
      check: (body, services) => void parseChanges(body, services),
      replay: (stored, services) => changeRequestReply(services, stored, 'what was written'),
    },
    answer: { status: 200, schema: 'change-request', description: 'The change request with all of its changes.' },
    errors: [...writeErrors, 422],
    scope: pathScope,
    async run(call, services) {
      const { actor, ip, ifMatch, scope, idempotency } = call
      const { project = '', environment = '' } = scope
      const changes = parseChanges(call.body, services)
      const input = { actor, ip, ifMatch, project, environment, changes, idempotency }
      return changeRequestReply(services, await addChanges(services, input), 'what was written')
    },
  },
  {
    method: 'get',
    path: '/projects/:projectId/change-requests/:id',
    operationId: 'getChangeRequest',
    summary: 'Read a change request',
    description: 'The change request with its changes, votes, comments and what speaks against applying it.',
    permissions: ['READ_CHANGE_REQUEST'],
    answer: { status: 200, schema: 'change-request', description: 'The change request.' },
    errors: readErrors,
    scope: pathScope,
    run: async (call, services) =>
      changeRequestReply(services, await findVisible(services, reference(call), call.actor), 'what is read'),
  },
  {
    method: 'delete',
    path: '/projects/:projectId/change-requests/:id',
    operationId: 'discardDraft',
    summary: 'Throw a draft away',
    description: 'Deletes a change request in the state Draft; its events stay. Its author only.',
    permissions: ['READ_CHANGE_REQUEST'],
    headers: ifMatch,
    answer: { status: 200, description: 'The draft is gone.' },
    errors: bodilessErrors,
    scope: pathScope,
    async run(call, services) {
      await discardDraft(services, reference(call))
      return emptyReply(200)
    },
  },
  {
    method: 'delete',
    path: '/projects/:projectId/change-requests/:changeRequestId/changes/:changeId',
    operationId: 'discardChange',
    summary: 'Take a change out',
    description: 'Removes one change. After a review this voids all approvals. Its author only.',
    permissions: ['READ_CHANGE_REQUEST'],
    headers: ifMatch,
    answer: { status: 200, description: 'The change is out.' },
    errors: bodilessErrors,
    scope: pathScope,
    async run(call, services) {
      await discardChange(services, { ...reference(call, 'changeRequestId'), changeId: call.id('changeId') })
      return emptyReply(200)
    },
  },
  {
    method: 'put',
    path: '/projects/:projectId/change-requests/:changeRequestId/changes/:changeId',
    operationId: 'editChange',
    summary: 'Edit a change',
    description:
      'Replaces one change by another, which gets an id of its own. After a review this voids all approvals. Its ' +
      'author only.',
    permissions: ['READ_CHANGE_REQUEST'],
    headers: ifMatch,
    body: 'change-edit',
    answer: { status: 200, schema: 'change-request', description: 'The change request with all of its changes.' },
    errors: writeErrors,
    scope: pathScope,
    async run(call, services) {
      const change = parseChange(call.body, services)
      const input = { ...reference(call, 'changeRequestId'), changeId: call.id('changeId'), change }
      return changeRequestReply(services, await editChange(services, input), 'what was written')
    },
  },
]
