import type { ChangeRequest, NewChange } from '../../domain/change-request'
import type { Actor } from '../../ports/access'
import type { Holds } from '../permissions'
import type { Services } from '../services'

/** What facts are gathered about. */
export interface Question {
  readonly services: Services
  readonly actor: Actor
  /** Asks the permissions of the actor. */
  readonly holds: Holds
  readonly changeRequest: ChangeRequest
  /** What the actor proposes; absent for steps that propose nothing. */
  readonly proposal?: Proposal
  /** The changes after the step, where they are others than the stored ones. */
  readonly changesAfter?: readonly Pick<NewChange, 'action'>[]
  /** Whether a view shows who may approve; otherwise that is asked only where it decides. */
  readonly showsReviewers?: boolean
  /** Whether the current flags may be missing when the gateway fails, because only snapshots need them. */
  readonly flagsAreOptional?: boolean
}

/** Changes that are proposed. */
export interface Proposal {
  readonly changes: readonly NewChange[]
  /** False for a body that is one change: paths of details have no position then. */
  readonly listed: boolean
}
