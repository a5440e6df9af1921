import type { PlaygroundRequest } from '../../generated'
import { jsonReply } from '../../http/reply'
import { type Route, route } from '../../http/route'
import { checkBody } from '../../validation/check-body'
import { tryInPlayground } from './playground'

/** Routes that evaluate changes without applying them. */
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
    parse: ({ caller: { actor }, id, body }) => ({ actor, id: id('id'), body: parsePlayground(body) }),
    run: (trial, services) => tryInPlayground(services, trial),
    view: (answer) => jsonReply(answer),
  }),
]

/**
 * Reads the body of the playground, after `guardBody`.
 *
 * @throws BadDataError with the first problem
 */
function parsePlayground(body: unknown): PlaygroundRequest {
  return checkBody<PlaygroundRequest>('playgroundRequest', body)
}
