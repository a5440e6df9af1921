import type { EventFilter } from '../../ports/storage/events'

/** The filters of a request, by the name of the parameter; of a list, its items. */
export type RequestedFilter = Readonly<Record<string, string | readonly (string | number)[]>>

export interface EventSelection {
  readonly filter: EventFilter
  /** What the caller asked for, which the trailer of an export names; `filter` is the part of it that the caller can read. */
  readonly requested: RequestedFilter
  /** Adds `groupType` and `groupId` to the events that have them (contract 9.1). */
  readonly grouped?: boolean
}
