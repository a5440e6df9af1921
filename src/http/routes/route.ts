import type { Request } from 'express'
import type { Action } from '../../generated/index'
import type { Caller } from '../../operations/change-requests/existing'
import type { EventFeed } from '../../operations/events/event-feed'
import type { SubscriptionLimits } from '../../operations/events/subscribe'
import type { Services } from '../../operations/runtime/services'
import type { Permission, Scope } from '../../ports/access'
import type { StoredChangeRequest } from '../../ports/storage'
import type { createEventLists } from '../events/list'
import type { Reply } from '../pipeline/reply'
import type { Call } from '../pipeline/request-context'
import type { ViewOptions } from '../views/change-request'

/** What the routes answer from. */
export interface RouteServices extends Services {
  readonly eventLists: ReturnType<typeof createEventLists>
  readonly views: ViewOptions
  readonly changesPerRequest: number
  /** What may be proposed; undefined for every action there is. */
  readonly actions: readonly Action[] | undefined
  /** A text is looked for in so many events at most. */
  readonly searchedEvents: number
  /** What followers of the log wait at. */
  readonly feed: EventFeed
  readonly subscriptionLimits: SubscriptionLimits
}

export interface Parameter {
  readonly description: string
  readonly schema: object
}

/** How a retry with the same `Idempotency-Key` is answered (contract 2.4). */
export interface Idempotent {
  readonly kind: 'changes' | 'comment'
  /** Refuses a malformed body before it is looked at what the key was used for (contract 11.4). */
  readonly check: (body: unknown, services: RouteServices) => void
  /** The reply for the change request as it is now, which the caller may still see. */
  readonly replay: (stored: StoredChangeRequest, services: RouteServices) => Promise<Reply>
}

/** One operation: what `openapi.json` says of it, who may call it, and what it does. */
export interface Route {
  readonly method: 'get' | 'post' | 'put' | 'delete'
  /** Below the base path. */
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly description: string
  /** Any of these opens the route; none are asked for where the operation shows only what may be read. */
  readonly permissions: readonly Permission[]
  readonly query?: Readonly<Record<string, Parameter>>
  readonly headers?: Readonly<Record<string, Parameter>>
  /** The schema of the body in `schemas/`; a route without one reads no body. */
  readonly body?: string
  /** What an `Idempotency-Key` does to it; a route without it ignores the header. */
  readonly idempotent?: Idempotent
  readonly answer: {
    readonly status: 200 | 204
    readonly schema?: string
    readonly description: string
    /** What the same address answers when `Accept` names another media type, each with its schema. */
    readonly also?: Readonly<Record<string, { readonly schema: object }>>
  }
  /** The statuses that carry the error schema. */
  readonly errors: readonly number[]
  /** Where the permission is asked for. */
  readonly scope: (req: Request) => Scope
  readonly run: (call: Call, services: RouteServices) => Promise<Reply>
}

export const readErrors = [400, 401, 403, 404, 500, 503] as const
export const writeErrors = [400, 401, 403, 404, 409, 412, 413, 415, 500, 503] as const
export const bodilessErrors = [400, 401, 403, 404, 409, 412, 500, 503] as const

export const ifMatch: Readonly<Record<string, Parameter>> = {
  'If-Match': {
    description: 'The entity tag of the change request as the caller saw it; any other is refused with 412.',
    schema: { type: 'string' },
  },
}

export const idempotencyKey: Readonly<Record<string, Parameter>> = {
  'Idempotency-Key': {
    description:
      'Makes a retry safe: for a day, the same key with the same request does nothing again, and answers what is there now.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  },
}

/** The project that the path of a route with a `:projectId` names. */
export function projectOf({ scope }: Call): string {
  return scope.project ?? ''
}

/** The change request that the path names, with who calls. */
export function reference(call: Call, parameter = 'id'): Caller & { project: string; id: number | undefined } {
  const { actor, ip } = call
  return { actor, ip, ifMatch: call.ifMatch, project: projectOf(call), id: call.id(parameter) }
}
