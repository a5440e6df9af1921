import type { EventFilter } from '../../ports/storage/events'

/** Selects the events of a path of the log. */
export interface EventSelection {
  readonly filter: EventFilter
  /** Adds `groupType` and `groupId` to the events that have them (contract 9.1). */
  readonly grouped?: boolean
}
