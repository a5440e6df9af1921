import { phaseOf } from '../../domain/lifecycle'
import { ChangeRequestError } from '../../errors'
import type { PlaygroundRequest, PlaygroundView } from '../../generated'
import { jsonReply } from '../../http/reply'
import { type Route, route } from '../../http/route'
import { gathererFor } from '../../kernel/facts/gather'
import { callHook, describeValue, invalidHookResult } from '../../kernel/host/hooks'
import type { Services } from '../../kernel/services'
import { visible } from '../../kernel/step/step-input'
import type { Actor } from '../../ports/access'
import { checkBody } from '../../validation/check-body'

/** Evaluates the flags as if the changes were applied. The host app applies them and rolls back (contract 3.9). */
export async function tryInPlayground(
  services: Services,
  { actor, id, body }: { readonly actor: Actor; readonly id: number | undefined; readonly body: PlaygroundRequest },
): Promise<PlaygroundView> {
  const { playground, storage } = services
  if (playground === null) throw new ChangeRequestError('NotFoundError', 'This app has no playground.')
  const found = id === undefined ? undefined : await storage.find({}, id)
  const isReadable =
    found !== undefined && (await gathererFor(services, actor, found.changeRequest).get('READ_CHANGE_REQUEST'))
  // The same error for all that the caller cannot see, so that it does not reveal which change requests exist.
  const { changeRequest } = visible(isReadable ? found : undefined, actor.id, id)
  const { state } = changeRequest
  const phase = phaseOf(state)
  if (phase !== 'review' && phase !== 'approved') {
    const message = `A change request in the state ${state} cannot be tried in the playground.`
    throw new ChangeRequestError('ConflictError', message)
  }
  const call = () => playground(structuredClone(changeRequest), body, actor)
  const answer: unknown = await callHook(services, 'playground', call)
  if (typeof answer === 'object' && answer !== null && !Array.isArray(answer)) return answer as PlaygroundView
  throw invalidHookResult('playground', describeValue(answer), 'an object { input, features, warnings? }')
}

export const playgroundRoutes: readonly Route[] = [
  route({
    method: 'post',
    path: '/playground/change-request/:id',
    operationId: 'tryChangeRequest',
    summary: 'Try a change request in the playground',
    description:
      'Evaluates the flags as if the change request were applied, without applying it. It must be In review, Approved or ' +
      'Scheduled. The response is 404 if the host has no playground, or if the caller cannot read the change request.',
    permissions: [],
    body: 'playground-request',
    answer: { status: 200, schema: 'playground', description: 'The evaluation.' },
    errors: [400, 401, 404, 409, 413, 415, 500, 503],
    parse: ({ caller: { actor }, id, body }) => ({
      actor,
      id: id('id'),
      body: checkBody<PlaygroundRequest>('playgroundRequest', body),
    }),
    run: (trial, services) => tryInPlayground(services, trial),
    view: (answer) => jsonReply(answer),
  }),
]
