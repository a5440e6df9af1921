import { maxTitleLength } from '../../domain/content/title'
import type { ApproversUpdate, CommentResolution, CommentSubmission, CommentUpdate, TitleUpdate } from '../../generated'
import { viewEmpty } from '../../http/replies'
import { jsonReply, type Reply, uncachedJson } from '../../http/reply'
import type { RequestContext } from '../../http/request-context'
import {
  bodilessErrors,
  idempotencyKey,
  idempotentRoute,
  ifMatch,
  type Route,
  readErrors,
  route,
  writeErrors,
} from '../../http/route'
import { entityTag } from '../../kernel/etag'
import { availableReviewers } from '../../kernel/host/find-users'
import { toReviewerView } from '../../kernel/host/person-views'
import type { Services } from '../../kernel/services'
import type { User } from '../../ports/users'
import { checkBody, maxCommentLength, refuseCharacters, trimText } from '../../validation/check-body'
import { badData } from '../../validation/core/problems'
import { parseTimelineStart, timelineParameters } from '../../validation/queries/review-search'
import {
  type CommentReference,
  comment,
  deleteComment,
  editComment,
  readTimeline,
  rename,
  requestApprovers,
  requestedReviewers,
  resolveComment,
  type TimelinePage,
} from './discussion'

const ofComment = {
  path: '/projects/:projectId/change-requests/:id/comments/:commentId',
  extension: true,
  permissions: ['READ_CHANGE_REQUEST'],
  headers: ifMatch,
} as const

export const discussionRoutes: readonly Route[] = [
  route({
    method: 'put',
    path: '/projects/:projectId/change-requests/:id/title',
    operationId: 'renameChangeRequest',
    summary: 'Set the title',
    description:
      'Sets the title of a change request that is not closed. Only the author and an ADMIN can do this, or with the option ' +
      '`editDetails` any caller who can create or approve change requests there.',
    permissions: ['READ_CHANGE_REQUEST'],
    headers: ifMatch,
    body: 'title',
    answer: { status: 204, description: 'The title was set.' },
    errors: writeErrors,
    parse: (context) => ({ reference: context.reference(), title: parseTitle(context.body) }),
    run: ({ reference, title }, services) => rename(services, reference, title),
    view: viewEmpty(204),
  }),
  idempotentRoute({
    method: 'post',
    path: '/projects/:projectId/change-requests/:id/comments',
    operationId: 'addComment',
    summary: 'Add a comment',
    description: 'Adds a comment to the change request or to one of its changes, in any state.',
    permissions: ['READ_CHANGE_REQUEST'],
    headers: { ...ifMatch, ...idempotencyKey },
    body: 'comment-submission',
    idempotent: 'comment',
    answer: { status: 204, description: 'The comment was added.' },
    errors: [...writeErrors, 422],
    parse: (context) => ({ reference: context.reference(), comment: parseComment(context.body) }),
    run: ({ reference, comment: { text, changeId } }, services) => comment(services, reference, text, changeId),
    view: viewEmpty(204),
  }),
  route({
    ...ofComment,
    method: 'put',
    operationId: 'editComment',
    summary: 'Edit a comment',
    description:
      'Replaces the text of a comment. Only its author can do this, within 10 minutes, and only until someone comments, votes ' +
      'or changes the state. A comment that was sent with a step, or is in a closed change request, stays as it is.',
    body: 'comment-update',
    answer: { status: 204, description: 'The comment has the text.' },
    errors: writeErrors,
    parse(context) {
      const { text } = checkBody<CommentUpdate>('commentUpdate', context.body)
      return { reference: commentReference(context), text: trimText(text, 'text', maxCommentLength) }
    },
    run: ({ reference, text }, services) => editComment(services, reference, text),
    view: viewEmpty(204),
  }),
  route({
    ...ofComment,
    method: 'delete',
    operationId: 'deleteComment',
    summary: 'Delete a comment',
    description: 'Deletes a comment, under the same conditions as an edit. The review keeps an entry without its text.',
    answer: { status: 204, description: 'The comment was deleted.' },
    errors: bodilessErrors,
    parse: commentReference,
    run: (reference, services) => deleteComment(services, reference),
    view: viewEmpty(204),
  }),
  route({
    ...ofComment,
    method: 'put',
    path: `${ofComment.path}/resolution`,
    operationId: 'resolveComment',
    summary: 'Resolve a comment',
    description:
      'Resolves a comment or opens it again, unless the change request is closed. The author of the comment, the author of ' +
      'the change request and everyone who can approve it can do this.',
    body: 'comment-resolution',
    answer: { status: 204, description: 'The comment is resolved or open, as requested.' },
    errors: writeErrors,
    parse: (context) => ({
      reference: commentReference(context),
      resolved: checkBody<CommentResolution>('commentResolution', context.body).resolved,
    }),
    run: ({ reference, resolved }, services) => resolveComment(services, reference, resolved),
    view: viewEmpty(204),
  }),
  route({
    method: 'put',
    path: '/projects/:projectId/change-requests/:id/approvers',
    operationId: 'requestApprovers',
    summary: 'Request approvers',
    description:
      'Replaces the list of requested approvers. The list is advisory. Only the author and an ADMIN can do this, ' +
      'or with the option `editDetails` any caller who can create or approve change requests there.',
    permissions: ['READ_CHANGE_REQUEST'],
    headers: ifMatch,
    body: 'approvers-update',
    answer: { status: 204, description: 'The list was set.' },
    errors: writeErrors,
    parse: (context) => ({ reference: context.reference(), reviewers: parseApprovers(context.body) }),
    run: ({ reference, reviewers }, services) => requestApprovers(services, reference, reviewers),
    view: viewEmpty(204),
  }),
  route({
    method: 'get',
    path: '/projects/:projectId/change-requests/:id/approvers',
    operationId: 'getRequestedApprovers',
    summary: 'List the requested approvers',
    description: 'Returns the requested approvers who still exist in the host app.',
    permissions: ['READ_CHANGE_REQUEST'],
    answer: { status: 200, schema: 'reviewers', description: 'The requested approvers.' },
    errors: readErrors,
    parse: (context) => context.reference(),
    run: (input, services) => requestedReviewers(services, input),
    view: viewReviewers,
  }),
  route({
    method: 'get',
    path: '/projects/:projectId/change-requests/available-reviewers/:environment',
    operationId: 'getAvailableReviewers',
    summary: 'List the available reviewers',
    description: 'Returns the users who can approve in the project and environment.',
    permissions: ['READ_CHANGE_REQUEST'],
    answer: { status: 200, schema: 'reviewers', description: 'The users who can approve.' },
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
    summary: 'List the events of a change request',
    description: 'Returns the events of the change request, oldest first, at most 100 per page.',
    permissions: ['READ_CHANGE_REQUEST'],
    query: timelineParameters,
    answer: { status: 200, schema: 'timeline', description: 'One page of events.' },
    errors: readErrors,
    parse: (context) => ({ reference: context.reference(), after: parseTimelineStart(context.query) }),
    run: ({ reference, after }, services) => readTimeline(services, reference, after),
    view: viewTimeline,
  }),
]

function commentReference(context: RequestContext): CommentReference {
  return { ...context.reference(), commentId: context.id('commentId') }
}

const maxApprovers = 10

/** The ids of the requested approvers, without duplicates, in the order given. @throws BadDataError with the first problem */
export function parseApprovers(body: unknown): number[] {
  const people = [...new Set(checkBody<ApproversUpdate>('approversUpdate', body).reviewers)]
  if (people.length <= maxApprovers) return people
  const message = `must name at most ${maxApprovers} different users, got ${people.length}`
  throw badData([{ path: '/body/reviewers', message }])
}

export function parseComment(body: unknown): { readonly text: string; readonly changeId: number | null } {
  const { text, changeId = null } = checkBody<CommentSubmission>('commentSubmission', body)
  return { text: trimText(text, 'text', maxCommentLength), changeId }
}

export function parseTitle(body: unknown): string {
  const title = trimText(checkBody<TitleUpdate>('title', body).title, 'title', maxTitleLength)
  return refuseCharacters(title, 'title', /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u)
}

/** Events are sent as they are stored. */
function viewTimeline({ stored, page, next }: TimelinePage): Reply {
  const start = Buffer.from('{"events":[')
  const end = Buffer.from(`],"next":${next === null ? 'null' : `"${next}"`}}`)
  return { ...uncachedJson({ ETag: entityTag(stored) }), body: Buffer.concat([start, page.json, end]) }
}

function viewReviewers(users: readonly User[], { options }: Services): Reply {
  return jsonReply({ reviewers: users.map((user) => toReviewerView(user, options)) })
}
