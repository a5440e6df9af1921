import { revertTitle } from '../../domain/content/title'
import { createChangeRequest } from '../../domain/decisions/changes'
import { restoresOf } from '../../domain/diff/restoring'
import type { Revert } from '../../domain/diff/revert'
import { requireStep } from '../../domain/steps/steps'
import type { RevertPreviewView, RevertRequest } from '../../generated'
import { viewWritten } from '../../http/replies'
import { jsonReply, type Reply } from '../../http/reply'
import { idempotencyKey, idempotentRoute, ifMatch, type Route, readErrors, route, writeErrors } from '../../http/route'
import { hashOf } from '../../kernel/digest'
import { gathererFor } from '../../kernel/facts/gather'
import { changeLimitsOf } from '../../kernel/host-services'
import type { Services } from '../../kernel/services'
import { performStep } from '../../kernel/step/perform-step'
import { type Caller, findVisible, type Reference } from '../../kernel/step/step-input'
import { checkBody } from '../../validation/check-body'

/** Creates a Draft of the caller that reverts an applied or a scheduled change request (contract 17). */
export async function revert(services: Services, input: Caller & Reference, partial: boolean) {
  const found = await findVisible(services, input, input.actor)
  const { project, environment } = found.changeRequest
  const place = { project, environment }
  // The targets are those of the reverted change request, so they are within the limit.
  const limits = { ...changeLimitsOf(services.options.limits), targetsBytes: Number.POSITIVE_INFINITY }
  const reverting = {
    ...input,
    found,
    createsIn: place,
    changeIds: (_: unknown, { revert }: { readonly revert?: Revert | undefined }) => revert?.changes.length ?? 0,
  }
  return performStep(services, 'revert', reverting, (current, { by: { author }, now, facts, ids }) => {
    requireStep('revert', current, facts, { partial })
    const { flags, gatedMinimum } = facts.revertOrigin
    const link = { reverts: current.id }
    const changes = facts.revert?.changes ?? []
    const restores = restoresOf(changes, hashOf)
    const fresh = { ...place, id: ids.changeRequest, title: revertTitle(current), ...link, restores }
    const command = {
      facts: { ...facts, proposal: { rejected: undefined, invalid: [], flags }, gatedMinimum },
      changes,
      changeIds: ids.changes,
      ...{ author, now, limits, hash: hashOf },
    }
    return createChangeRequest(fresh, command, link)
  })
}

/** The changes that a revert would propose. @throws ConflictError unless it is applied or scheduled */
export async function previewRevert(services: Services, input: Pick<Caller, 'actor'> & Reference): Promise<Revert> {
  const { actor } = input
  const { changeRequest } = await findVisible(services, input, actor)
  requireStep('previewRevert', changeRequest, {}, {})
  return (await gathererFor(services, actor, changeRequest).get('possibleRevert')) as Revert
}

export const revertRoutes: readonly Route[] = [
  route({
    method: 'get',
    path: '/projects/:projectId/change-requests/:id/revert',
    operationId: 'previewRevert',
    extension: true,
    summary: 'Preview a revert',
    description:
      'Returns what a revert of an applied or scheduled change request would propose, and which of its changes have no inverse.',
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
      'Proposes the inverse of an applied or scheduled change request, as a new draft of the caller. The draft is reviewed ' +
      'like any other.',
    permissions: ['READ_CHANGE_REQUEST'],
    headers: { ...ifMatch, ...idempotencyKey },
    body: 'revert',
    idempotent: 'changes',
    answer: { status: 200, schema: 'change-request', description: 'The new change request.' },
    errors: [...writeErrors, 422],
    parse(context) {
      const { partial = false } = checkBody<RevertRequest>('revert', context.body)
      return { reference: context.reference(), partial }
    },
    run: ({ reference, partial }, services) => revert(services, reference, partial),
    view: viewWritten,
  }),
]

function viewRevert({ changes, irreversible }: Revert): Reply {
  const view: RevertPreviewView = {
    changes: changes.map(({ restores: _, ...change }) => change),
    irreversible: irreversible.map(({ id, action, feature }) => ({ id, action, feature })),
  }
  return jsonReply(view)
}
