import { authoringCalls } from './authoring-calls'
import { callsOf } from './calls'
import type { ClientOptions } from './client-options'
import type { EventQuery } from './event-calls'
import {
  type ChangeRequestExportOptions,
  type ChangeRequestExportQuery,
  type ExportOptions,
  exportChangeRequests,
  exportEvents,
} from './exports'
import { programCalls } from './program-calls'
import { requireDuration, retry } from './retry'
import { createSender } from './send'

/** The client that {@link createClient} returns. */
export interface Client
  extends ReturnType<typeof callsOf>,
    ReturnType<typeof authoringCalls>,
    ReturnType<typeof programCalls> {
  /** Exports all matching events as bytes for a file, with progress. @throws ClientError */
  exportEvents(filter: EventQuery, exported: ExportOptions): ReturnType<typeof exportEvents>
  /**
   * Exports what is stored about all matching change requests as NDJSON, by id and without drafts: a line of
   * {@link ExportedChangeRequestView} for each, then the trailer. @throws ClientError
   */
  exportChangeRequests(
    filter: ChangeRequestExportQuery,
    exported?: ChangeRequestExportOptions,
  ): ReturnType<typeof exportChangeRequests>
}

/**
 * Creates a typed client of a router, for Node and browsers. Each call returns the body with its entity tag, or throws a
 * {@link ClientError}.
 *
 * @example
 * ```ts
 * import { createClient } from 'express-change-requests/client'
 *
 * const client = createClient({ api: 'https://flags.example/api/admin', key: 'user:…' })
 * const { body: review } = await client.review({ project: 'shop', id: 42 })
 * const isAllowed = review.steps.find(({ step }) => step === 'approve')?.allowed
 * if (isAllowed && review.digest !== null) {
 *   const decision = { state: 'Approved', digest: review.digest } as const
 *   await client.setState({ project: 'shop', id: 42 }, decision, { ifMatch: review.revision })
 * }
 * ```
 */
export function createClient(options: ClientOptions): Client {
  const maxRetryMs = requireDuration('maxRetryMs', options.maxRetryMs ?? 0)
  const sender = createSender(options, (call, signal) => retry(maxRetryMs, call, signal))
  return {
    ...callsOf(sender),
    ...authoringCalls(sender),
    ...programCalls(sender),
    exportEvents: (filter, exported) => exportEvents(sender, filter, exported),
    exportChangeRequests: (filter, exported) => exportChangeRequests(sender, filter, exported),
  }
}
