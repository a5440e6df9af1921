import type { ChangeRequest, NewChange } from '../../domain/change-request'
import type { Actor } from '../../ports/access'
import type { PermissionCheck } from '../host/permissions'
import type { HostServices } from '../host-services'

/** What the facts are about: a change request, an actor, and the changes that the actor proposes. */
export interface FactContext {
  readonly services: HostServices
  readonly actor: Actor
  /** Checks the permissions of the actor. */
  readonly hasPermission: PermissionCheck
  readonly changeRequest: ChangeRequest
  /** The proposed changes; absent for steps that propose nothing. */
  readonly proposal?: Proposal
  /** The comment that the step is about; absent for other steps. */
  readonly commentId?: number | undefined
  /** The changes after the step, if they differ from the stored ones. */
  readonly changesAfter?: readonly Pick<NewChange, 'action'>[]
  /** Whether a view shows who can approve; otherwise the hook is called only if a decision depends on it. */
  readonly showsReviewers?: boolean
  /** Whether the step may go on without the current flags if the gateway fails, because only its snapshots need them. */
  readonly flagsAreOptional?: boolean
}

/** Changes that are proposed. */
export interface Proposal {
  readonly changes: readonly NewChange[]
  /** False if the body is a single change. Paths in error details then have no position. */
  readonly listed: boolean
  /** The id of the change that the proposal replaces; absent for new changes. */
  readonly replaces?: number
}
