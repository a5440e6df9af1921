import type { ObjectionDismissal, ObjectionRequest } from '../../generated'
import { viewEmpty } from '../../http/replies'
import { bodilessErrors, ifMatch, type Route, route, writeErrors } from '../../http/route'
import { checkBody, maxCommentLength, trimText } from '../../validation/check-body'
import { dismissObjection, liftObjection, object, takeBackApproval } from './objections'

const changeRequestPath = '/projects/:projectId/change-requests/:id'

const stopping = {
  extension: true,
  option: 'objections',
  permissions: ['READ_CHANGE_REQUEST'],
  headers: ifMatch,
} as const

export const objectionRoutes: readonly Route[] = [
  route({
    ...stopping,
    method: 'put',
    path: `${changeRequestPath}/objection`,
    operationId: 'objectToChangeRequest',
    summary: 'Object to a change request',
    description:
      'Stores an objection of the caller: the change request cannot be applied or scheduled until it ends, and a pending ' +
      'schedule is suspended. It replaces an open objection of the caller, and removes their approval. A later approval of ' +
      'the caller ends it. Everyone who can approve in one of the affected environments can object, authors included. Only ' +
      'with the option `objections`.',
    body: 'objection',
    answer: { status: 204, description: 'The objection is stored.' },
    errors: writeErrors,
    parse(context) {
      const { text, digest = null } = checkBody<ObjectionRequest>('objection', context.body)
      return { ...context.reference(), text: trimText(text, 'text', maxCommentLength), digest }
    },
    run: (input, services) => object(services, input),
    view: viewEmpty(204),
  }),
  route({
    ...stopping,
    method: 'delete',
    path: `${changeRequestPath}/objection`,
    operationId: 'liftObjection',
    summary: 'Lift an objection',
    description:
      'Ends the open objection of the caller. The end of the last one puts a preset schedule into effect. Only with the ' +
      'option `objections`.',
    answer: { status: 204, description: 'The caller has no open objection any more.' },
    errors: [...bodilessErrors, 428],
    parse: (context) => context.reference(),
    run: (input, services) => liftObjection(services, input),
    view: viewEmpty(204),
  }),
  route({
    ...stopping,
    method: 'post',
    path: `${changeRequestPath}/objections/:objectionId/dismissal`,
    operationId: 'dismissObjection',
    summary: 'Dismiss an objection',
    description:
      'Ends the objection of another user. Only an ADMIN who is not an author can do this. The end of the last one puts a ' +
      'preset schedule into effect. Only with the option `objections`.',
    body: 'objection-dismissal',
    answer: { status: 204, description: 'The objection is dismissed.' },
    errors: [...writeErrors, 428],
    parse(context) {
      const { reason } = checkBody<ObjectionDismissal>('objectionDismissal', context.body)
      const objectionId = context.id('objectionId')
      return { ...context.reference(), objectionId, reason: trimText(reason, 'reason', 1_000, 10) }
    },
    run: (input, services) => dismissObjection(services, input),
    view: viewEmpty(204),
  }),
  route({
    ...stopping,
    method: 'delete',
    path: `${changeRequestPath}/approval`,
    operationId: 'takeBackApproval',
    summary: 'Take back an approval',
    description:
      'Removes the approval of the caller, whether it counts now or not. If too few approvals are left, an approved change ' +
      'request returns to review, and a pending schedule is suspended. Only with the option `objections`.',
    answer: { status: 204, description: 'The caller has no approval any more.' },
    errors: bodilessErrors,
    parse: (context) => context.reference(),
    run: (input, services) => takeBackApproval(services, input),
    view: viewEmpty(204),
  }),
]
