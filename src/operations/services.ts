import type { Directory } from '../ports/directory'
import type { Storage } from '../ports/storage'
import type { AggregateWriter } from './write'

/** What the operations work with: the host's ports and the settings of the router. */
export interface Services {
  readonly storage: Storage
  readonly writer: AggregateWriter
  readonly directory: Directory
  readonly clock: () => Date
  readonly settings: {
    readonly changeRequestsEnabled: boolean
    readonly requiredApprovals: number
    readonly changesPerChangeRequest: number
    /** Begins the links in the summaries of events. */
    readonly linkBase: string
    readonly gravatar: boolean
    readonly recordIp: boolean
  }
}

/** The present time as it is stored and answered. */
export function now({ clock }: Pick<Services, 'clock'>): string {
  return clock().toISOString()
}
