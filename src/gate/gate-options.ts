import type { Request, Response } from 'express'
import { aFunction, checkOptions, each, must, type OptionTable, oneOf, optional } from '../check-options'
import type { ChangeRequest } from '../domain/change-request'
import type { SubmittedChange } from '../generated/index'

/** Where a request writes: in one environment of a project, or in all of its environments. */
export interface GatedPlace {
  /** The project. */
  readonly project: string
  /** Left out: all environments of the project. */
  readonly environment?: string | undefined
}

/**
 * Your hook that returns where a request writes: a place, a list of places, or null for nothing that needs a review, such as
 * a read. A list passes if each of its places passes. If the hook throws, takes longer than `limits.hookTimeoutMs` or
 * returns anything else, the request is rejected.
 */
export type DescribeWrite = (
  req: Request,
) => GatedPlace | readonly GatedPlace[] | null | Promise<GatedPlace | readonly GatedPlace[] | null>

/** The result of {@link GateOptions.propose}: a change, a list of changes, or null if the request cannot be proposed. */
export type Proposed = SubmittedChange | readonly SubmittedChange[] | null

/**
 * Options of {@link ChangeRequestRouter.gate}.
 *
 * @example
 * ```ts
 * const options: GateOptions = {
 *   propose: (req) => ({
 *     action: 'updateEnabled',
 *     feature: String(req.params['name']),
 *     payload: { enabled: req.body.enabled === true },
 *   }),
 * }
 * app.patch('/flags/:name', router.gate(() => ({ project: 'shop', environment: 'production' }), options), updateFlag)
 * ```
 */
export interface GateOptions {
  /**
   * Returns the change, or the list of changes, that the request would make. Instead of rejecting the request, the gate adds
   * it to the caller's draft, or to their change request in review if nobody has voted on it yet. With null the request is
   * rejected. A write to a whole project is proposed for the environment that requires the most approvals. If `describe`
   * returned a list, only one of its places may need a review.
   * @defaultValue none: the request is rejected
   */
  readonly propose?: (req: Request) => Proposed | Promise<Proposed>
  /**
   * Responds to a request that was proposed. If it sends nothing within `limits.hookTimeoutMs`, the default response is sent.
   * @defaultValue 202 with the path of the change request
   */
  readonly answer?: (req: Request, res: Response, changeRequest: ChangeRequest) => unknown
  /**
   * Whether callers who skip the review must give a reason, in the header `Change-Request-Skip-Reason`.
   * @defaultValue `'optional'`
   */
  readonly reason?: 'optional' | 'required'
}

const table: OptionTable<GateOptions> = {
  propose: optional(aFunction()),
  answer: optional(
    each(
      aFunction(),
      must((_, { propose }: GateOptions) => propose !== undefined, 'used with propose'),
    ),
  ),
  reason: optional(oneOf('optional', 'required')),
}

/** @throws TypeError that names the invalid option */
export function checkGate(describe: unknown, options: GateOptions): void {
  if (typeof describe !== 'function') throw new TypeError('gate: pass a function that returns where a request writes.')
  checkOptions('gate', options, table)
}
