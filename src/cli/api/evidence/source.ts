import type { ExportedChangeRequestView } from '../../../generated/index'
import type { Log } from '../export/log'

/** A line of `requests.ndjson`. */
export interface RequestLine extends ExportedChangeRequestView {
  /** The ids of its events. */
  readonly events: readonly number[]
}

/** What the key can read of a router. */
export interface Source extends Log {
  readonly signal: AbortSignal
  /** The lines of change requests, by id, with their line breaks. @throws ClientError */
  requests(query: { readonly after?: number; readonly changedFrom?: string }): AsyncGenerator<Buffer>
  /** The id of the newest event; 0 for none. */
  newestEvent(): Promise<number>
  /** The id of the first event at or after an instant. */
  firstEventSince(instant: string): Promise<number | undefined>
  /** @throws ClientError with the status 403 */
  requireReadable(project: string): Promise<void>
  progress(part: 'requests' | 'events'): void
}
