import type { Reply } from '../../http/reply'
import type { RequestContext } from '../../http/request-context'
import { type Route, type RouteDescription, route } from '../../http/route'
import type { Services } from '../../kernel/services'
import { type EventExport, openExport, viewExport } from './export'
import { parseFormat } from './negotiate'
import type { EventSelection } from './selection'
import { type EventStream, openStream, viewStream } from './sse'

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

type Result<Found> =
  | { readonly kind: 'json'; readonly found: Found }
  | { readonly kind: 'export'; readonly opened: EventExport }
  | { readonly kind: 'stream'; readonly opened: EventStream }

/** The route of a path of the log, for all formats. */
export function eventRoute<Query, Page, Found>(
  description: RouteDescription & Pick<Route, 'scope'>,
  address: EventAddress<Query, Page, Found>,
): Route {
  return route({
    ...description,
    parse: (context) => ({ query: address.parse(context), format: parseFormat(context, address.parsePage) }),
    async run({ query, format }, services): Promise<Result<Found>> {
      const selection = await address.select(query, services)
      switch (format.kind) {
        case 'json':
          return { kind: 'json', found: await address.find(format.page, selection, services, query) }
        case 'export':
          return { kind: 'export', opened: await openExport(services.storage, selection, format) }
        case 'stream':
          return { kind: 'stream', opened: await openStream(services, selection, format.after) }
      }
    },
    view(result, services) {
      switch (result.kind) {
        case 'json':
          return address.view(result.found, services)
        case 'export':
          return viewExport(result.opened)
        case 'stream':
          return viewStream(result.opened)
      }
    },
  })
}
