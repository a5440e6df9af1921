import type { Revert } from '../../domain/diff/revert'
import type { RevertPreviewView, RevertRequest } from '../../generated'
import { viewWritten } from '../../http/replies'
import { jsonReply, type Reply } from '../../http/reply'
import { idempotentRoute, type Route, route } from '../../http/route'
import { idempotencyKey, ifMatch, readErrors, writeErrors } from '../../http/route-description'
import { checkBody } from '../../validation/check-body'
import { previewRevert, revert } from './revert'

/** Routes that revert an applied change request. */
export const revertRoutes: readonly Route[] = [
  route({
    method: 'get',
    path: '/projects/:projectId/change-requests/:id/revert',
    operationId: 'previewRevert',
    extension: true,
    summary: 'Preview a revert',
    description:
      'Returns what a revert of an applied change request would propose, and which of its changes have no inverse.',
    permissions: ['READ_CHANGE_REQUEST'],
    answer: { status: 200, schema: 'revert-preview', description: 'The changes that would be proposed.' },
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
    summary: 'Revert a change request',
    description:
      'Proposes the inverse of an applied change request, as a new draft of the caller. The draft is reviewed like any ' +
      'other.',
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
]

/**
 * Reads the body that reverts a change request, after `guardBody`.
 *
 * @returns whether irreversible changes may stay applied
 * @throws BadDataError with the first problem
 */
function parseRevert(body: unknown): boolean {
  return checkBody<RevertRequest>('revert', body).partial === true
}

/** The changes that a revert would propose. */
function viewRevert({ changes, irreversible }: Revert): Reply {
  const view: RevertPreviewView = {
    changes: changes.map(({ restores: _, ...change }) => change),
    irreversible: irreversible.map(({ id, action, feature }) => ({ id, action, feature })),
  }
  return jsonReply(view)
}
