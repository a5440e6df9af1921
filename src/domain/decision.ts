import type { Author, ChangeRequest } from './change-request'
import type { EventDraft } from './events/events'

/** What a decision leaves behind: the new aggregate and the events that tell of it, to be stored together. */
export interface Decision {
  readonly changeRequest: ChangeRequest
  readonly events: readonly EventDraft[]
  /** The change request itself goes; its events stay. */
  readonly removed?: true
}

/** Who decides, and what of it the rules look at. */
export interface Reviewer {
  readonly author: Author
  /** Holds ADMIN. */
  readonly admin: boolean
}
