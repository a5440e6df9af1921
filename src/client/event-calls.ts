import type { ConsumersView, EventActivityView, EventCreatorsView, EventSearchView } from '../generated/index'
import type { Answer, CallOptions } from './client-options'
import { done, path, type Sender } from './send'

/** Filters of the event log. Filters are combined with AND, the values of one filter with OR. */
export interface EventQuery {
  /** Text to find in `data`, `preData` or `tags`. */
  readonly query?: string | undefined
  /** Ids of events. */
  readonly id?: number | readonly number[] | undefined
  /** Names of flags; includes the events of change requests that change them. */
  readonly feature?: string | readonly string[] | undefined
  /** Names of projects. */
  readonly project?: string | readonly string[] | undefined
  /** Types of events. */
  readonly type?: string | readonly string[] | undefined
  /** Ids of users. */
  readonly createdBy?: number | readonly number[] | undefined
  /** Names of environments. */
  readonly environment?: string | readonly string[] | undefined
  /** Ids of applies: all events of one apply have the same id. */
  readonly groupId?: string | readonly string[] | undefined
  /** The first day, `2026-03-01`, UTC; or the first instant, `2026-03-01T08:00:00Z`. */
  readonly from?: string | undefined
  /** The last day, `2026-03-31`, UTC; or the instant before which the events are. */
  readonly to?: string | undefined
}

/** Which of the matching events are returned. */
export interface EventPageOptions {
  /** Maximum number of events in a page. */
  readonly limit?: number | undefined
  /** How many to skip; for late pages, `before` is faster. */
  readonly offset?: number | undefined
  /** By id. @defaultValue 'desc' */
  readonly order?: 'asc' | 'desc' | undefined
  /** Only events below this id. */
  readonly before?: number | undefined
  /** Only events above this id. */
  readonly after?: number | undefined
}

/** A page of the log. */
export interface EventPageAnswer extends Answer<EventSearchView> {
  /** Whether `total` is a lower bound. */
  readonly atLeast: boolean
  /** The `before` of the next page, or null if this is the last one. A page before the last may be short or even empty. */
  readonly next: number | null
}

/** The query parameters for a filter. */
export function toParameters(filter: EventQuery): Record<string, string> {
  const { query, ...values } = filter
  const given = Object.entries(values).flatMap(([name, value]) => {
    const list = [value].flat().filter((item) => item !== undefined)
    const items = name === 'feature' ? list.map(escaped) : list
    return list.length === 0 ? [] : [[name, `${list.length === 1 ? 'IS' : 'IS_ANY_OF'}:${items.join(',')}`]]
  })
  return { ...Object.fromEntries(given), ...(query && { query }) }
}

/** In the names of flags, a comma does not separate, and a percent sign does not escape. */
function escaped(name: unknown): string {
  return String(name).replace(/[%,]/g, (mark) => encodeURIComponent(mark))
}

/** Reads the event log, except streams and exports. */
export function eventCalls({ json, answer, retry }: Sender) {
  return {
    /** A page of the events that match, the newest first. */
    searchEvents(
      filter: EventQuery = {},
      page: EventPageOptions = {},
      options?: CallOptions,
    ): Promise<EventPageAnswer> {
      return retry(async () => {
        const request = { query: { ...toParameters(filter), ...page }, ...options }
        const { body, etag, headers } = await answer<EventSearchView>('/search/events', { property: 'events' }, request)
        const next = /<([^>]*)>;\s*rel="next"/.exec(headers.get('link') ?? '')?.[1]
        const before = next && new URLSearchParams(next.slice(next.indexOf('?'))).get('before')
        const atLeast = headers.get('total-count') === 'at-least'
        return { body, etag, atLeast, next: before ? Number(before) : null }
      }, options?.signal)
    },
    /** The number of events per day; days are dates in UTC. */
    activity(
      days: { readonly from: string; readonly to: string; readonly project?: string | undefined },
      options?: CallOptions,
    ): Promise<Answer<EventActivityView>> {
      return json('/search/events/activity', { property: 'days' }, { query: { ...days }, ...options })
    },
    /** Users who have caused events. */
    eventCreators(options?: CallOptions): Promise<Answer<EventCreatorsView>> {
      return json('/event-creators', { property: 'length' }, options)
    },
    /** The durable consumers of the log. For admins. */
    consumers(options?: CallOptions): Promise<Answer<ConsumersView>> {
      return json('/consumers', { property: 'consumers' }, options)
    },
    /** Attempts to deliver to a consumer now, also if it is stopped. For admins. */
    retryConsumer(name: string, options?: CallOptions): Promise<Answer<null>> {
      return json(path('consumers', name, 'retry'), done, { method: 'POST', ...options })
    },
  }
}
