import { settleOnRequest } from '../apply/settle-on-request'
import { rebase } from '../rebase/rebase'
import { previewRevert, revert } from '../revert/revert'
import { whoAmI } from './who-am-i'
import { acknowledge } from './acknowledge'
import { rulesInForce } from '../../kernel/facts/policy'
import { review } from './review'
import { listReviews } from '../lists/reviews'
import { readTimeline } from '../discussion/timeline'
import { parseAcknowledgement } from '../discussion/comment-body'
import { parseRebase } from '../rebase/body'
import { parseRevert } from '../revert/body'
import {
  parsePlace,
  parseReviewSearch,
  parseTimelineStart,
  placeParameters,
  reviewSearchParameters,
  timelineParameters,
} from '../../validation/queries/review-search'
import { jsonReply } from '../../http/reply'
import { idempotentRoute, type Route, route } from '../../http/route'
import { bodilessErrors, idempotencyKey, ifMatch, readErrors, writeErrors } from '../../http/route-description'
import { viewWritten } from '../../http/replies'
import { viewRevert, viewReview, viewReviews, viewRules, viewTimeline } from './view'

/** What no client of the original interface knows (extensions 1). */
export const extensionRoutes: readonly Route[] = [
  route({
    method: 'get',
    path: '/projects/:projectId/change-requests/:id/review',
    operationId: 'getReview',
    extension: true,
    summary: 'Read what is missing',
    description:
      'What the change request needs, and for every step whether the caller may take it now. What a step is missing is ' +
      'what its refusal says.',
    permissions: ['READ_CHANGE_REQUEST'],
    answer: { status: 200, schema: 'review', description: 'Requirements, changes, discussion and steps.' },
    errors: readErrors,
    parse: (context) => context.reference(),
    run: (input, services) => review(services, input),
    view: viewReview,
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
  route({
    method: 'get',
    path: '/projects/:projectId/environments/:environment/change-requests/rules',
    operationId: 'getApprovalRules',
    extension: true,
    summary: 'Read the approval rules',
    description:
      'The approval rules in force there, beside the minimum of its settings; some are for certain changes only.',
    permissions: ['READ_CHANGE_REQUEST'],
    answer: { status: 200, schema: 'approval-rules', description: 'The rules in force.' },
    errors: readErrors,
    parse: ({ project, environment }) => ({ project, environment }),
    run: (place, services) => rulesInForce(services, place),
    view: viewRules,
  }),
  route({
    method: 'post',
    path: '/projects/:projectId/change-requests/:id/settlement',
    operationId: 'settleApply',
    extension: true,
    summary: 'Settle an interrupted apply',
    description:
      'Asks the flag gateway whether an interrupted apply succeeded, and stores the answer: the change request is Applied, ' +
      'or can be applied again.',
    permissions: ['READ_CHANGE_REQUEST'],
    headers: ifMatch,
    answer: { status: 200, schema: 'change-request', description: 'The change request after that.' },
    errors: bodilessErrors,
    parse: (context) => context.reference(),
    run: (reference, services) => settleOnRequest(services, reference),
    view: viewWritten,
  }),
  route({
    method: 'post',
    path: '/projects/:projectId/change-requests/:id/acknowledgement',
    operationId: 'acknowledgeEmergency',
    extension: true,
    summary: 'Acknowledge an emergency',
    description:
      'The second look at what was applied in an emergency, once, by somebody who may approve and neither made, changed ' +
      'nor applied it.',
    permissions: ['READ_CHANGE_REQUEST'],
    headers: ifMatch,
    body: 'acknowledgement',
    answer: { status: 200, schema: 'change-request', description: 'The change request, acknowledged.' },
    errors: writeErrors,
    parse: (context) => ({ reference: context.reference(), comment: parseAcknowledgement(context.body) }),
    run: ({ reference, comment }, services) => acknowledge(services, reference, comment),
    view: viewWritten,
  }),
  route({
    method: 'post',
    path: '/projects/:projectId/change-requests/:id/rebase',
    operationId: 'rebaseChangeRequest',
    extension: true,
    summary: 'Rebase',
    description:
      'Puts the changes on the present flags. What only one side altered is merged; for what both altered, the body says ' +
      'what is taken. Voids all approvals. Its author only.',
    permissions: ['READ_CHANGE_REQUEST'],
    headers: ifMatch,
    body: 'rebase',
    answer: { status: 200, schema: 'change-request', description: 'The change request on the present flags.' },
    errors: writeErrors,
    parse: (context) => ({ reference: context.reference(), takes: parseRebase(context.body) }),
    run: ({ reference, takes }, services) => rebase(services, reference, takes),
    view: viewWritten,
  }),
  route({
    method: 'get',
    path: '/projects/:projectId/change-requests/:id/revert',
    operationId: 'previewRevert',
    extension: true,
    summary: 'Read what a revert would do',
    description:
      'What a revert of an applied change request would propose, and which of its changes nothing takes back.',
    permissions: ['READ_CHANGE_REQUEST'],
    answer: { status: 200, schema: 'revert-preview', description: 'What would be proposed.' },
    errors: [...readErrors, 409],
    parse: (context) => context.reference(),
    run: (input, services) => previewRevert(services, input),
    view: viewRevert,
  }),
  idempotentRoute({
    method: 'post',
    path: '/projects/:projectId/change-requests/:id/revert',
    operationId: 'revertChangeRequest',
    extension: true,
    summary: 'Revert',
    description:
      'Proposes the inverse of what was applied, as a new change request of the caller in the state Draft, which is ' +
      'reviewed as any other.',
    permissions: ['READ_CHANGE_REQUEST'],
    headers: { ...ifMatch, ...idempotencyKey },
    body: 'revert',
    idempotent: 'changes',
    answer: { status: 200, schema: 'change-request', description: 'The new change request.' },
    errors: [...writeErrors, 422],
    parse: (context) => ({ reference: context.reference(), partial: parseRevert(context.body) }),
    run: ({ reference, partial }, services) => revert(services, reference, partial),
    view: viewWritten,
  }),
  route({
    method: 'get',
    path: '/me',
    operationId: 'getMe',
    extension: true,
    summary: 'Read who the caller is',
    description: 'The caller, and with `project` and `environment` also the permissions that they hold there.',
    permissions: [],
    query: placeParameters,
    answer: { status: 200, schema: 'me', description: 'The caller.' },
    errors: [400, 401, 500, 503],
    parse: ({ caller: { actor }, query }) => ({ actor, ...parsePlace(query) }),
    run: ({ actor, project, environment }, services) =>
      whoAmI(services, actor, { ...(project && { project }), ...(environment && { environment }) }),
    view: (me) => jsonReply(me),
  }),
  route({
    method: 'get',
    path: '/reviews',
    operationId: 'getReviews',
    extension: true,
    summary: 'List reviews in all projects',
    description:
      'Change requests of all projects that the caller may read, newest first, with the approvals that each waits for.',
    permissions: [],
    query: reviewSearchParameters,
    answer: { status: 200, schema: 'reviews', description: 'One page of what was found.' },
    errors: [400, 401, 500, 503],
    parse: ({ caller: { actor }, query }) => ({ actor, ...parseReviewSearch(query) }),
    run: (search, services) => listReviews(services, search),
    view: viewReviews,
  }),
]
