import type { ChangeRequest } from '../change-request'
import type { CommentLimits } from '../content/size'
import type { Attribution, EventDraft } from '../events/events'
import type { State } from '../lifecycle'
import type { FactsOf, Step } from '../steps/steps'

/** The result of a decision: the new aggregate and its events, to be stored together. */
export interface Decision {
  readonly changeRequest: ChangeRequest
  readonly events: readonly EventDraft[]
  /** The change request itself is deleted; its events stay. */
  readonly removed?: true
}

/** The input of a decision that the rules of a step may reject. */
export interface StepCommand<S extends Step> extends Attribution {
  readonly facts: FactsOf<S>
}

/** The input of a step that can have a comment. */
export interface CommentedCommand<S extends Step> extends StepCommand<S> {
  /** Stored as an ordinary comment together with the step (contract 3.7); null for none. */
  readonly comment: string | null
  readonly commentLimits: CommentLimits
}

/** Sets the state and its timestamp. Scheduling again sets a new timestamp. */
export function enterState(current: ChangeRequest, state: State, now: string): ChangeRequest {
  if (state === current.state && state !== 'Scheduled') return current
  return { ...current, state, stateTimestamps: { ...current.stateTimestamps, [state]: now } }
}
