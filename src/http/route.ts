import type { Request } from 'express'
import type { Services } from '../kernel/services'
import type { Scope } from '../ports/access'
import type { StoredChangeRequest } from '../ports/storage/change-requests'
import type { Reply } from './reply'
import type { RequestContext } from './request-context'
import type { RouteDescription } from './route-description'

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
