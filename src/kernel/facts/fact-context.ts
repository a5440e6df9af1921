import type { ChangeRequest, NewChange } from '../../domain/change-request'
import type { StepOptions } from '../../domain/steps/facts'
import type { Actor } from '../../ports/access'
import type { PermissionCheck } from '../host/permissions'
import type { HostServices } from '../host-services'

/** What the facts are about: a change request, an actor, and the changes that the actor proposes. */
export interface FactContext {
  readonly services: HostServices
  readonly actor: Actor
  readonly hasPermission: PermissionCheck
  readonly changeRequest: ChangeRequest
  readonly proposal?: Proposal
  readonly commentId?: number | undefined
  readonly checkName?: string | undefined
  /** The id of the change request that the schedule is to follow. */
  readonly after?: number | undefined
  /** The changes after the step, if they differ from the stored ones. */
  readonly changesAfter?: readonly Pick<NewChange, 'action'>[]
  /** Whether a view shows who can approve; otherwise the hook is called only if a decision depends on it. */
  readonly showsReviewers?: boolean
  /** Whether the step may go on without the current flags if the gateway fails, because only its snapshots need them. */
  readonly flagsAreOptional?: boolean
  /** Why the flags could not be read for the view. They are not read again. */
  readonly flagsError?: unknown
}

export interface Proposal {
  readonly changes: readonly NewChange[]
  /** False if the body is a single change. Paths in error details then have no position. */
  readonly listed: boolean
  /** The id of the change that the proposal replaces; absent for new changes. */
  readonly replaces?: number
}

/** The options that the rules depend on: those of the router by their names, and what follows from others. */
export function stepOptions({
  services: { options, flags, acceptsSchedules },
}: Pick<FactContext, 'services'>): StepOptions {
  const { adminSelfApproval, emergency, globalSegments, requireRevision, logComments } = options
  return {
    adminSelfApproval,
    emergency,
    globalSegments,
    requireRevision,
    logComments,
    detailsByAnyone: options.editDetails === 'anyone',
    scheduler: acceptsSchedules(),
    presetsSchedules: options.schedule !== 'off',
    overwrites: options.overwrites === 'allow',
    canApply: flags !== null || options.recordOnly,
    knowsOutcome: flags?.outcome !== undefined,
  }
}
