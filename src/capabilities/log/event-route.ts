import type { Reply } from '../../http/reply'
import type { RequestContext } from '../../http/request-context'
import { type Route, type RouteDescription, route } from '../../http/route'
import type { Services } from '../../kernel/services'
import { parseEventRange, parseLastEventId, parseStreamStart } from '../../validation/queries/events/event-page'
import { openExport, viewExport } from './export'
import type { EventSelection } from './selection'
import { openStream, viewStream } from './sse'

/** The media types of every path of the log; the first is the default. */
const mediaTypes = ['application/json', 'application/x-ndjson', 'text/csv', 'text/event-stream'] as const

/** A path of the log. All of its formats have the same events; the JSON format returns one page of them. */
interface EventAddress<Query, Page, Found> {
  /** Parses the selection of the events for all formats. @throws BadDataError */
  parse(context: RequestContext): Query
  /** Parses the page of the JSON response. @throws BadDataError */
  parsePage(context: RequestContext): Page
  /** The events that the caller can read. */
  select(query: Query, services: Services): EventSelection | Promise<EventSelection>
  find(page: Page, selection: EventSelection, services: Services, query: Query): Promise<Found>
  view(found: Found, services: Services): Reply | Promise<Reply>
}

export function eventRoute<Query, Page, Found>(
  description: RouteDescription & Pick<Route, 'scope'>,
  address: EventAddress<Query, Page, Found>,
): Route {
  return route({
    ...description,
    parse: (context) => ({ query: address.parse(context), format: parseFormat(context, address.parsePage) }),
    async run({ query, format }, services): Promise<() => Reply | Promise<Reply>> {
      const selection = await address.select(query, services)
      if (format.kind === 'json') {
        const found = await address.find(format.page, selection, services, query)
        return () => address.view(found, services)
      }
      if (format.kind === 'export') {
        const opened = await openExport(services.storage, selection, format)
        return () => viewExport(opened)
      }
      const stream = await openStream(services, selection, format.after)
      return () => viewStream(stream)
    },
    view: (viewResult) => viewResult(),
  })
}

function parseFormat<Page>(context: RequestContext, parsePage: (context: RequestContext) => Page) {
  const type = context.accepts(mediaTypes)
  switch (type) {
    case 'application/x-ndjson':
    case 'text/csv':
      return { kind: 'export', type, range: parseEventRange(context.query) } as const
    case 'text/event-stream': {
      const id = parseStreamStart(context.query)
      const start = id === undefined ? undefined : { id, fingerprint: '' }
      return { kind: 'stream', after: parseLastEventId(context.lastEventId) ?? start } as const
    }
    default:
      return { kind: 'json', page: parsePage(context) } as const
  }
}
