import { checkNode } from '../check-node'
import type { Consumer } from '../ports/consumers'
import { defaultSurroundings, toConsumer } from './consumer'
import { resolveTargets, type WebhooksOptions } from './options'

export type { WebhooksOptions, WebhookTarget } from './options'

/**
 * Creates one consumer per target, which sends events as signed requests: at least once, in order, one event per request. A
 * failing target does not delay another one.
 *
 * @example
 * ```ts
 * import { webhooks } from 'express-change-requests/webhooks'
 *
 * const consumers = webhooks({
 *   targets: [
 *     {
 *       name: 'audit',
 *       url: 'https://audit.example.com/events',
 *       secrets: [process.env['AUDIT_SECRET'] ?? ''],
 *       types: ['change-request-applied'],
 *     },
 *   ],
 * })
 * for (const consumer of consumers) router.events.consume(consumer)
 * ```
 *
 * @throws TypeError that names the target and the property.
 */
export function webhooks(options: WebhooksOptions): Consumer[] {
  return resolveTargets(options).map((target) => toConsumer(target, defaultSurroundings))
}

checkNode()
