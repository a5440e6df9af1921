import type { NextFunction, Request, Response, Router } from 'express'
import type { RouterHealth } from '../capabilities/schedule/schedule-health'
import type { DescribeWrite, GatedPlace, GateOptions } from '../gate/gate-options'
import type { OpenApiDocument, OpenApiOptions } from '../openapi'
import type { Settlement } from '../ports/flags'
import type { EventLog } from './event-log'

/** Options of {@link ChangeRequestRouter.close}. */
export interface CloseOptions {
  /**
   * How many milliseconds to wait for running requests.
   * @defaultValue `10000`
   */
  readonly timeoutMs?: number
}

/** What {@link ChangeRequestRouter.runDue} did. */
export interface ScheduleRun {
  /** How many were applied. */
  readonly applied: number
  /** How many failed, because their flags were deleted or the gateway rejected the changes. */
  readonly failed: number
  /** How many are suspended, because something changed after they were scheduled. */
  readonly suspended: number
  /** How many are still due and will be retried. */
  readonly left: number
}

/**
 * The Express router that {@link createChangeRequestRouter} returns, with methods for your app.
 *
 * @typeParam Transaction The transaction of your storage; inferred.
 */
export interface ChangeRequestRouter<Transaction = unknown> extends Router {
  /** Records your own events in the log. */
  readonly events: EventLog<Transaction>
  /**
   * Returns middleware for a route of your own that writes flags. Where change requests are enabled, only callers with
   * SKIP_CHANGE_REQUEST pass; the events that you record in such a request store who skipped the review and why. Writes of
   * other callers are rejected, or proposed with the option `propose`. If a check fails, only callers with
   * SKIP_CHANGE_REQUEST pass. Put the gate after your body parser if `describe` reads the body.
   *
   * @example
   * ```ts
   * const production = router.gate(() => ({ project: 'shop', environment: 'production' }))
   * app.patch('/flags/:name', production, updateFlag)
   * ```
   *
   * @returns middleware that does not change the types of your handlers
   * @throws TypeError that names the invalid option.
   */
  gate(
    describe: DescribeWrite,
    options?: GateOptions,
  ): <Params>(req: Request<Params>, res: Response, next: NextFunction) => void
  /**
   * Whether change requests are enabled in an environment, or in any environment of a project.
   *
   * @throws ChangeRequestError BadDataError when a name is malformed. Errors of the driver are rethrown unchanged.
   * @throws TypeError when `place` has an unknown property: with a misspelt `environment` it would mean all environments.
   */
  takesChangeRequests(place: GatedPlace): Promise<boolean>
  /**
   * Returns the API of this router as OpenAPI 3.1, with the paths that clients see: they start with `mountPath` and
   * `basePath`. Each call returns a new document.
   *
   * @throws TypeError when `mountPath` is not a path.
   */
  openapi(options?: OpenApiOptions): OpenApiDocument
  /**
   * Creates or upgrades the tables. Idempotent, also when several processes call it concurrently. Rejects with errors of the
   * driver, and for tables of a version that this release does not support.
   */
  migrate(): Promise<void>
  /** Returns the state of the storage, of scheduled change requests and of interrupted applies. Never rejects. */
  health(): Promise<RouterHealth>
  /**
   * Starts settling interrupted applies through the gateway's `outcome` and, with the option `schedule: 'here'`, applying
   * scheduled change requests when they are due. Call it after `migrate()`, in each process.
   */
  start(): void
  /**
   * Applies all change requests that are due, for apps with a timer of their own. It may run in several processes
   * concurrently: each change request is applied once.
   */
  runDue(): Promise<ScheduleRun>
  /**
   * Stores the outcome of an interrupted apply, and its events in the log. Needed only for gateways that are neither
   * `transactional` nor have the method `outcome`.
   *
   * @throws ChangeRequestError NotFoundError when the change request does not exist. ConflictError when it has no
   * interrupted apply, or when the apply began less than `limits.applyTimeoutMs` ago and `force` is not set.
   */
  settle(settlement: Settlement): Promise<void>
  /**
   * Stops what `start()` started, ends all event streams and waits for running writes, for at most `timeoutMs`
   * (default 10,000). Never rejects; idempotent. Does not close what your app created, such as its Knex.
   */
  close(options?: CloseOptions): Promise<void>
}
