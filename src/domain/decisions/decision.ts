import type { Author, ChangeRequest } from '../change-request'
import type { CommentLimits } from '../content/size'
import type { EventDraft } from '../events/events'
import type { State } from '../lifecycle'
import type { StepFacts } from '../steps/facts'

/** The result of a decision: the new aggregate and its events, to be stored together. */
export interface Decision {
  readonly changeRequest: ChangeRequest
  readonly events: readonly EventDraft[]
  /** The change request itself is deleted; its events stay. */
  readonly removed?: true
}

/** Who does something, and when. */
export interface Occasion {
  readonly by: {
    readonly author: Author
    /** The groups that they are in: votes keep them. */
    readonly groups?: readonly string[]
  }
  readonly now: string
}

/** The input of a decision that the rules of a step may refuse. */
export interface DecisionOccasion extends Occasion {
  readonly facts: StepFacts
}

/** The input of every step to another state. */
export interface StepOccasion extends DecisionOccasion {
  /** Is stored as an ordinary comment together with the step (contract 3.7); null for none. */
  readonly comment: string | null
  readonly commentLimits: CommentLimits
}

/** In its new state, with the time of it. Scheduling again counts as a new entry. */
export function enterState(current: ChangeRequest, state: State, now: string): ChangeRequest {
  if (state === current.state && state !== 'Scheduled') return current
  return { ...current, state, stateTimestamps: { ...current.stateTimestamps, [state]: now } }
}
