import type { Client, EventQuery } from '../../../client/index'
import { type ExportFormat, isTrailer, parseTrailer, type Row, readRows, type Trailer } from './rows'

/** The log of the server, as one format with one filter. */
export interface Log {
  readonly client: Client
  readonly filter: EventQuery
  readonly format: ExportFormat
}

/** An id above all events; nothing is behind it. */
const aboveAll = Number.MAX_SAFE_INTEGER - 1

/** An export without events: the header of CSV, and a trailer with the filter. */
export async function readEmptyExport(
  log: Log,
): Promise<{ readonly header: Row | undefined; readonly trailer: Trailer }> {
  const rows: Row[] = []
  for await (const row of rowsAfter(log, aboveAll)) rows.push(row)
  const end = rows.pop()
  const trailer = end && parseTrailer(end, log.format)
  if (trailer === undefined) throw new Error('The server sent no trailer.')
  return { header: rows[0], trailer }
}

/** The oldest and the newest event that the key can read, of any project; undefined if there is none. */
export async function readLogEnds({
  client,
}: Log): Promise<{ readonly oldest: number; readonly newest: number } | undefined> {
  const [first, last] = await Promise.all([
    client.searchEvents({}, { after: 0, limit: 1 }),
    client.searchEvents({}, { limit: 1 }),
  ])
  const [oldest, newest] = [first.body.events[0]?.id, last.body.events[0]?.id]
  return oldest === undefined || newest === undefined ? undefined : { oldest, newest }
}

/** The export of all events above an id. @throws ClientError */
export async function* rowsAfter({ client, filter, format }: Log, after: number, before?: number): AsyncGenerator<Row> {
  const bytes = await client.exportEvents(filter, { format, order: 'asc', after, before })
  yield* readRows(bytes as unknown as AsyncIterable<Uint8Array>, format)
}

/**
 * The rows of the events from one id to another, both included.
 *
 * @param idsPerRequest Limits what one request returns, so that none takes long.
 */
export async function* eventsBetween(log: Log, from: number, to: number, idsPerRequest = 50_000): AsyncGenerator<Row> {
  for (let after = from - 1; after < to; after += idsPerRequest) {
    const before = Math.min(after + idsPerRequest, to) + 1
    let isHeader = log.format === 'csv'
    for await (const row of rowsAfter(log, after, before)) {
      if (!isHeader && !isTrailer(row, log.format)) yield row
      isHeader = false
    }
  }
}
