import type { RequestContext } from '../../http/request-context'
import type { LogPosition } from '../../kernel/log/position'
import { parseEventRange, parseLastEventId, parseStreamStart } from '../../validation/queries/events/event-page'
import type { ExportType } from './export'
import type { EventRange } from './read-event-range'

/** The media types of every path of the log; the first is the default. */
const mediaTypes = ['application/json', 'application/x-ndjson', 'text/csv', 'text/event-stream'] as const

/** The format of a response, with its parameters. */
export type Format<Page> =
  | { readonly kind: 'json'; readonly page: Page }
  | { readonly kind: 'export'; readonly type: ExportType; readonly range: EventRange }
  | { readonly kind: 'stream'; readonly after: LogPosition | undefined }

/** The format that the client prefers, with its own parameters. */
export function parseFormat<Page>(context: RequestContext, parsePage: (context: RequestContext) => Page): Format<Page> {
  const type = context.accepts(mediaTypes)
  switch (type) {
    case 'application/x-ndjson':
    case 'text/csv':
      return { kind: 'export', type, range: parseEventRange(context.query) }
    case 'text/event-stream': {
      const id = parseStreamStart(context.query)
      const start = id === undefined ? undefined : { id, fingerprint: '' }
      return { kind: 'stream', after: parseLastEventId(context.lastEventId) ?? start }
    }
    default:
      return { kind: 'json', page: parsePage(context) }
  }
}
