import type { EventCheckpoint } from '../../../ports/event-ledger'
import type { ExceptionKind } from './exceptions'

/** The files from which all others follow. */
export const sources = ['requests.ndjson', 'events.ndjson'] as const

/** `manifest.json`: what was asked, what was found, and the SHA-256 of each file. */
export interface Manifest {
  readonly query: {
    readonly from: string
    readonly to: string
    readonly zone: string
    /** Empty for all projects. */
    readonly projects: readonly string[]
  }
  /** The version of this package. */
  readonly release: string
  /** UTC, ISO 8601 with milliseconds. */
  readonly createdAt: string
  /** The id of the last event of the log that was read. A change request that changed meanwhile can have newer ones. */
  readonly asOf: number
  readonly counts: EvidenceCounts
  /** By name: 64 hexadecimal digits. */
  readonly files: { readonly [name: string]: string }
  /** The last checkpoint of the ledger that the events were compared with; null without a ledger. */
  readonly ledger: EventCheckpoint | null
}

export interface EvidenceCounts {
  readonly requests: number
  readonly exceptions: { readonly [Kind in ExceptionKind]: number }
  readonly settings: number
  readonly people: number
  readonly events: number
}
