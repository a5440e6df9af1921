import { changeState } from '../../operations/change-requests/change-state'
import {
  availableReviewers,
  comment,
  rename,
  requestApprovers,
  requestedReviewers,
} from '../../operations/change-requests/discussion'
import { parseApprovers } from '../../validation/bodies/approvers'
import { parseComment } from '../../validation/bodies/comment'
import { parseStateUpdate } from '../../validation/bodies/state-update'
import { parseTitle } from '../../validation/bodies/title'
import { pathScope } from '../pipeline/request-context'
import { changeRequestReply, emptyReply, reviewersReply } from './replies'
import { idempotencyKey, ifMatch, projectOf, type Route, readErrors, reference, writeErrors } from './route'

/** Deciding on a change request and talking about it. */
export const reviewRoutes: readonly Route[] = [
  {
    method: 'put',
    path: '/projects/:projectId/change-requests/:id/state',
    operationId: 'changeState',
    summary: 'Submit, approve, reject, cancel or apply',
    description:
      'Takes the change request to another state. An approval counts for the changes as they are: any edit voids it. ' +
      'Scheduling is not available in this version, and refused with 409.',
    permissions: ['READ_CHANGE_REQUEST'],
    headers: ifMatch,
    body: 'state-update',
    answer: { status: 200, schema: 'change-request', description: 'The change request in its present state.' },
    errors: [...writeErrors, 428],
    scope: pathScope,
    async run(call, services) {
      const { state, comment: text, digest } = parseStateUpdate(call.body)
      const stored = await changeState(services, { ...reference(call), state, comment: text, digest })
      return changeRequestReply(services, stored, 'what was written')
    },
  },
  {
    method: 'put',
    path: '/projects/:projectId/change-requests/:id/title',
    operationId: 'renameChangeRequest',
    summary: 'Give it a title',
    description:
      'Sets the title of a change request that is not closed. Its author or an admin, or by option whoever may create or approve.',
    permissions: ['READ_CHANGE_REQUEST'],
    headers: ifMatch,
    body: 'title',
    answer: { status: 204, description: 'The title is set.' },
    errors: writeErrors,
    scope: pathScope,
    async run(call, services) {
      await rename(services, reference(call), parseTitle(call.body))
      return emptyReply(204)
    },
  },
  {
    method: 'post',
    path: '/projects/:projectId/change-requests/:id/comments',
    operationId: 'addComment',
    summary: 'Comment',
    description: 'Adds a comment, in any state.',
    permissions: ['READ_CHANGE_REQUEST'],
    headers: { ...ifMatch, ...idempotencyKey },
    body: 'comment-submission',
    idempotent: {
      kind: 'comment',
      check: (body) => void parseComment(body),
      replay: async () => emptyReply(204),
    },
    answer: { status: 204, description: 'The comment is added.' },
    errors: [...writeErrors, 422],
    scope: pathScope,
    async run(call, services) {
      const text = parseComment(call.body)
      await comment(services, { ...reference(call), idempotency: call.idempotency }, text)
      return emptyReply(204)
    },
  },
  {
    method: 'put',
    path: '/projects/:projectId/change-requests/:id/approvers',
    operationId: 'requestApprovers',
    summary: 'Request approvers',
    description:
      'Replaces the list of people asked to approve. It is advisory. Its author or an admin, or by option whoever may create or approve.',
    permissions: ['READ_CHANGE_REQUEST'],
    headers: ifMatch,
    body: 'approvers-update',
    answer: { status: 204, description: 'The list is set.' },
    errors: writeErrors,
    scope: pathScope,
    async run(call, services) {
      await requestApprovers(services, reference(call), parseApprovers(call.body))
      return emptyReply(204)
    },
  },
  {
    method: 'get',
    path: '/projects/:projectId/change-requests/:id/approvers',
    operationId: 'getRequestedApprovers',
    summary: 'Read the requested approvers',
    description: 'The people asked to approve whom the host still knows.',
    permissions: ['READ_CHANGE_REQUEST'],
    answer: { status: 200, schema: 'reviewers', description: 'The people asked to approve.' },
    errors: readErrors,
    scope: pathScope,
    async run(call, services) {
      return reviewersReply(services, await requestedReviewers(services, reference(call)))
    },
  },
  {
    method: 'get',
    path: '/projects/:projectId/change-requests/available-reviewers/:environment',
    operationId: 'getAvailableReviewers',
    summary: 'Read who may approve',
    description: 'The people who may approve in the project and environment, as the host knows them.',
    permissions: ['READ_CHANGE_REQUEST'],
    answer: { status: 200, schema: 'reviewers', description: 'The people who may approve.' },
    errors: readErrors,
    scope: pathScope,
    async run(call, services) {
      const { environment = '' } = call.scope
      return reviewersReply(services, await availableReviewers(services, projectOf(call), environment))
    },
  },
]
