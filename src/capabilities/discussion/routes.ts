import { emptyReply } from '../../http/reply'
import { idempotentRoute, type Route, route } from '../../http/route'
import { idempotencyKey, ifMatch, readErrors, writeErrors } from '../../http/route-description'
import { availableReviewers } from '../../kernel/people/find-users'
import { parseTimelineStart, timelineParameters } from '../../validation/queries/review-search'
import { parseApprovers } from './approvers-body'
import { parseComment } from './comment-body'
import { comment, rename, requestApprovers, requestedReviewers } from './discussion'
import { readTimeline } from './timeline'
import { viewTimeline } from './timeline-view'
import { parseTitle } from './title-body'
import { viewReviewers } from './view'

/** Routes about titles, comments, requested approvers and the timeline. */
export const discussionRoutes: readonly Route[] = [
  route({
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
    parse: (context) => ({ reference: context.reference(), title: parseTitle(context.body) }),
    run: ({ reference, title }, services) => rename(services, reference, title),
    view: () => emptyReply(204),
  }),
  idempotentRoute({
    method: 'post',
    path: '/projects/:projectId/change-requests/:id/comments',
    operationId: 'addComment',
    summary: 'Comment',
    description: 'Adds a comment on the change request or on one of its changes, in any state.',
    permissions: ['READ_CHANGE_REQUEST'],
    headers: { ...ifMatch, ...idempotencyKey },
    body: 'comment-submission',
    idempotent: 'comment',
    answer: { status: 204, description: 'The comment is added.' },
    errors: [...writeErrors, 422],
    parse: (context) => ({ reference: context.reference(), comment: parseComment(context.body) }),
    run: ({ reference, comment: { text, changeId } }, services) => comment(services, reference, text, changeId),
    view: () => emptyReply(204),
  }),
  route({
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
    parse: (context) => ({ reference: context.reference(), reviewers: parseApprovers(context.body) }),
    run: ({ reference, reviewers }, services) => requestApprovers(services, reference, reviewers),
    view: () => emptyReply(204),
  }),
  route({
    method: 'get',
    path: '/projects/:projectId/change-requests/:id/approvers',
    operationId: 'getRequestedApprovers',
    summary: 'Read the requested approvers',
    description: 'The people asked to approve whom the host still knows.',
    permissions: ['READ_CHANGE_REQUEST'],
    answer: { status: 200, schema: 'reviewers', description: 'The people asked to approve.' },
    errors: readErrors,
    parse: (context) => context.reference(),
    run: (input, services) => requestedReviewers(services, input),
    view: viewReviewers,
  }),
  route({
    method: 'get',
    path: '/projects/:projectId/change-requests/available-reviewers/:environment',
    operationId: 'getAvailableReviewers',
    summary: 'Read who may approve',
    description: 'The people who may approve in the project and environment, as the host knows them.',
    permissions: ['READ_CHANGE_REQUEST'],
    answer: { status: 200, schema: 'reviewers', description: 'The people who may approve.' },
    errors: readErrors,
    parse: ({ project, environment }) => ({ project, environment }),
    run: ({ project, environment }, services) => availableReviewers(services, project, environment),
    view: viewReviewers,
  }),
  route({
    method: 'get',
    path: '/projects/:projectId/change-requests/:id/timeline',
    operationId: 'getTimeline',
    extension: true,
    summary: 'Read what happened to a change request',
    description: 'The events of the change request, oldest first, a hundred at a time, for whoever may read it.',
    permissions: ['READ_CHANGE_REQUEST'],
    query: timelineParameters,
    answer: { status: 200, schema: 'timeline', description: 'One page of its events.' },
    errors: readErrors,
    parse: (context) => ({ reference: context.reference(), after: parseTimelineStart(context.query) }),
    run: ({ reference, after }, services) => readTimeline(services, reference, after),
    view: viewTimeline,
  }),
]
