import type { ChangeRequestSummary } from '../../domain/content/summary'

/** The states that {@link Storage.gauges} counts. */
export const countedStates = ['In review', 'Approved', 'Scheduled'] as const

/** Change requests of a project and environment in one state. */
export interface CountedChangeRequests extends Pick<ChangeRequestSummary, 'project' | 'environment'> {
  /** Their state. */
  readonly state: (typeof countedStates)[number]
  /** The number of change requests: 1 or more. */
  readonly count: number
}

/** How far a consumer is behind the log. */
export interface ConsumerGauge {
  /** Its name. */
  readonly name: string
  /** The newest id of the log minus its position; at least 0. */
  readonly lag: number
  /** `createdAt` of the first event after its position; null if there is none. */
  readonly since: string | null
}

/** The values of the gauges of the option `telemetry`, as {@link Storage.gauges} returns them. */
export interface StoredGauges {
  /** The change requests in the states In review, Approved and Scheduled, in any order. Those with the same values add up. */
  readonly changeRequests: readonly CountedChangeRequests[]
  /** The stored consumers, in any order; empty for a storage without {@link Storage.consumers}. */
  readonly consumers: readonly ConsumerGauge[]
}
