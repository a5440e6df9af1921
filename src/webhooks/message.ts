import { createHmac, hash } from 'node:crypto'
import type { EventView } from '../generated/index'
import type { ConsumerContext } from '../ports/consumers'
import type { ResolvedTarget } from './options'

/** Standard Webhooks recommends small bodies: a larger one is sent without the data of the event. */
const maxBodyBytes = 20 * 1024

export interface Message {
  readonly body: Buffer
  readonly headers: Readonly<Record<string, string>>
}

/** The signed request for an event. @param own the body, if it is not the event itself */
export function toMessage(
  target: ResolvedTarget,
  log: ConsumerContext['log'],
  event: EventView,
  now: Date,
  own: string | undefined,
): Message {
  const id = messageId(log.id, target.name, event)
  const timestamp = String(Math.floor(now.getTime() / 1_000))
  const body = Buffer.from(own ?? bodyOf(target, log.id, id, event))
  const isCloudEvent = target.body === undefined && target.format === 'cloudevents'
  return {
    body,
    headers: {
      'User-Agent': 'express-change-requests',
      ...target.headers,
      'Content-Type': isCloudEvent ? 'application/cloudevents+json; charset=utf-8' : 'application/json',
      'Content-Length': String(body.length),
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      ...(target.keys.length > 0 && {
        'webhook-signature': target.keys.map((key) => signature(key, id, timestamp, body)).join(' '),
      }),
    },
  }
}

/** The same for every attempt; another one for another event with this id, after a restore (extensions 8, "Ids"). */
function messageId(logId: string, target: string, event: EventView): string {
  const identity = JSON.stringify([logId, target, event.id, event.createdAt, JSON.stringify(event)])
  return `msg_${hash('sha256', identity, 'base64url').slice(0, 27)}`
}

/** As Standard Webhooks 1.0.0 defines it. */
function signature(key: Buffer, id: string, timestamp: string, body: Buffer): string {
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`
}

function bodyOf(target: ResolvedTarget, logId: string, messageId: string, event: EventView): string {
  const whole = formatted(target, logId, messageId, event)
  if (Buffer.byteLength(whole) <= maxBodyBytes) return whole
  const { data, preData, ...rest } = event
  const url = target.apiUrl && `${target.apiUrl}/search/events?id=IS:${event.id}`
  return formatted(target, logId, messageId, rest, url)
}

function formatted({ format }: ResolvedTarget, logId: string, messageId: string, event: EventView, url?: string) {
  const { type, createdAt } = event
  if (format === 'standard') return JSON.stringify({ type, timestamp: createdAt, data: event, url })
  const { changeRequestId } = event.data ?? {}
  return JSON.stringify({
    specversion: '1.0',
    id: messageId,
    source: `urn:uuid:${logId}`,
    type,
    subject: typeof changeRequestId === 'number' ? `change-requests/${changeRequestId}` : undefined,
    time: createdAt,
    datacontenttype: 'application/json',
    url,
    data: event,
  })
}
