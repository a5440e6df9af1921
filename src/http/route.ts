import type { Request } from 'express'
import type { Services } from '../kernel/services'
import type { Permission, Scope } from '../ports/access'
import type { StoredChangeRequest } from '../ports/storage/change-requests'
import type { Parameter } from '../validation/queries/query-parameter'
import type { Reply } from './reply'
import type { RequestContext } from './request-context'

/** The description of a route in `openapi.json`, and what the pipeline checks for it. */
export interface RouteDescription {
  readonly method: 'get' | 'post' | 'put' | 'delete'
  /** Below the base path. */
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly description: string
  /** True for operations that Unleash does not have. */
  readonly extension?: true
  /** Not served unless this option of the router is on. */
  readonly option?: 'objections'
  /** The caller needs one of these. Empty if the operation returns only what the caller can read. */
  readonly permissions: readonly Permission[]
  readonly query?: Readonly<Record<string, Parameter>>
  readonly headers?: Readonly<Record<string, Parameter>>
  /** The schema of the body in `schemas/`; absent for a route that reads no body. */
  readonly body?: string
  /** What a call with an `Idempotency-Key` adds; absent for a route that ignores the header. */
  readonly idempotent?: 'changes' | 'comment'
  readonly answer: {
    readonly status: 200 | 204
    /** The body is `application/x-ndjson`: each line but the last has the schema. */
    readonly isLines?: true
    readonly schema?: string
    readonly description: string
    /** Other media types that `Accept` selects, each with its schema. */
    readonly also?: Readonly<Record<string, { readonly schema: object }>>
  }
  /** The statuses that carry the error schema. */
  readonly errors: readonly number[]
}

export const readErrors = [400, 401, 403, 404, 500, 503] as const
export const writeErrors = [400, 401, 403, 404, 409, 412, 413, 415, 500, 503] as const
export const bodilessErrors = [400, 401, 403, 404, 409, 412, 500, 503] as const

/** Shared by all lists of a project. */
export const inProject = { method: 'get', permissions: ['READ_CHANGE_REQUEST'], errors: readErrors } as const

export const parseProject = ({ caller: { actor }, project }: RequestContext) => ({ actor, project })

export const ifMatch: Readonly<Record<string, Parameter>> = {
  'If-Match': {
    description:
      'The entity tag of the change request that the caller has seen. If it is not the current one, the response is 412.',
    schema: { type: 'string' },
  },
}

export const ifNoneMatch: Readonly<Record<string, Parameter>> = {
  'If-None-Match': {
    description:
      '`*` requires a new change request. If the changes would be added to an open one of the caller, the response is 412 ' +
      'and names it. Other values are ignored.',
    schema: { type: 'string' },
  },
}

export const idempotencyKey: Readonly<Record<string, Parameter>> = {
  'Idempotency-Key': {
    description:
      'Makes a retry safe. For 24 hours, the same key with the same request has no second effect and returns the current state.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  },
}

/**
 * One endpoint: its description in `openapi.json`, and three functions. The pipeline does the rest, in the order of
 * contract 11.4: authentication, permission, body, `Idempotency-Key`, errors.
 */
export interface Route<Input = unknown, Result = unknown> extends RouteDescription {
  /**
   * Where the permission is needed.
   * @defaultValue the project and the environment in the path
   */
  scope?(req: Request): Scope
  /** Parses the request into a typed input. @throws BadDataError */
  parse(context: RequestContext, services: Services): Input
  run(input: Input, services: Services): Result | Promise<Result>
  /** Turns the result into a response. After a write it must not fail: if a hook fails, only its details are left out. */
  view(result: Result, services: Services): Reply | Promise<Reply>
}

/** Infers the types of a route: `run` gets the result of `parse`, and `view` that of `run`. */
export function route<Input, Result>(definition: Route<Input, Result>): Route {
  return definition
}

/** A route that runs once per `Idempotency-Key`. A retry gets the view of the current change request (contract 2.4). */
export interface IdempotentRoute<Input> extends Route<Input, StoredChangeRequest> {
  readonly idempotent: 'changes' | 'comment'
}

export function idempotentRoute<Input>(definition: IdempotentRoute<Input>): Route {
  return definition
}
