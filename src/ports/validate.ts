import type { JsonValue } from '../domain/change-request'
import type { ErrorDetail } from '../errors'
import type { Actor } from './access'
import type { ApplicableChange } from './flags'

/** When a {@link Validate} is called, for what and for whom. */
export interface ValidationContext<HostActor extends Actor = Actor> {
  /**
   * `propose`: the changes of one POST or PUT. `submit` and `apply`: all changes of a change request that is submitted, or
   * that is applied or scheduled; for `apply` the implied changes follow, without an id. The review calls the hook for both,
   * too.
   */
  readonly when: 'propose' | 'submit' | 'apply'
  /** The project of the change request. */
  readonly project: string
  /** The environment of the change request. */
  readonly environment: string
  /**
   * For each change, by its position, the part of its target that the change can alter: null if it does not exist, undefined
   * if it is unknown. For `propose` it is the current part; for `submit` and `apply` the one at the time of the proposal or of
   * the last rebase, so that a change stays valid; for a revert the one that it restores. Absent without a flag gateway.
   *
   * Reject a value only if it differs from the one here. Otherwise users could not edit the other properties of a target that
   * has a value which your rules reject now.
   */
  readonly current?: readonly ({ readonly [property: string]: JsonValue } | null | undefined)[]
  /** The caller, as your {@link Authenticate} returned them. */
  readonly actor: HostActor
}

/**
 * Your hook for rules that the schemas of the actions do not cover; {@link unleashRules} is the built-in one. It gets
 * copies of the changes; proposed changes have no id yet. It may be slow: no other request waits for it.
 *
 * It returns the problems, which become the details of a 400 `BadDataError`; nothing or an empty list if the changes are
 * valid. A `path` begins with `/body/` and the position of the change in the list, even for a single change.
 *
 * @throws ChangeRequestError to reject: with a status of 4xx it is the response to a proposal, and elsewhere its details count
 * like returned ones. With any other status it is the response. For any other error the response is 503 UnavailableError.
 *
 * @example
 * ```ts
 * const validate: Validate = (changes, { environment }) =>
 *   changes.flatMap(({ action }, index) =>
 *     action === 'archiveFeature' && environment === 'production'
 *       ? [{ path: `/body/${index}`, message: 'archive flags in the environment development' }]
 *       : [],
 *   )
 * ```
 */
export type Validate<HostActor extends Actor = Actor> = (
  changes: readonly ApplicableChange[],
  context: ValidationContext<HostActor>,
) => readonly ErrorDetail[] | null | undefined | Promise<readonly ErrorDetail[] | null | undefined>
