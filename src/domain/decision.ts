import type { Author, ChangeRequest } from './change-request'
import type { CommentLimits } from './content/size'
import type { EventDraft } from './events/events'

/** The result of a decision: the new aggregate and its events, to be stored together. */
export interface Decision {
  readonly changeRequest: ChangeRequest
  readonly events: readonly EventDraft[]
  /** The change request itself is deleted; its events stay. */
  readonly removed?: true
}

/** Who decides, as far as the rules depend on it. */
export interface Reviewer {
  readonly author: Author
  /** Has the permission ADMIN. */
  readonly admin: boolean
}

/** Who does something, and when. */
export interface Occasion {
  readonly by: Reviewer
  readonly now: string
}

/** The input of every step to another state. */
export interface StepOccasion extends Occasion {
  /** Is stored as an ordinary comment together with the step (contract 3.7); null for none. */
  readonly comment: string | null
  readonly commentLimits: CommentLimits
}
