import type { EventActivityView, EventCreatorsView, EventSearchView } from '../generated/index'
import type { Answer, CallOptions } from './client-options'
import { readBody, type Sender } from './send'

/**
 * Filters of the log; they combine with AND, and the values of one with OR.
 *
 * @example
 * ```ts
 * import type { EventFilter } from 'express-change-requests/client'
 *
 * const filter: EventFilter = { project: 'shop', type: ['feature-archived', 'change-request-applied'], from: '2026-11-01' }
 * ```
 */
export interface EventFilter {
  /** A text in `data`, `preData` or `tags`. */
  readonly query?: string | undefined
  /** Numbers of events. */
  readonly id?: number | readonly number[] | undefined
  /** Names of flags; an event of a change request that changes one belongs to it. */
  readonly feature?: string | readonly string[] | undefined
  /** Names of projects. */
  readonly project?: string | readonly string[] | undefined
  /** Types of events. */
  readonly type?: string | readonly string[] | undefined
  /** Numbers of users. */
  readonly createdBy?: number | readonly number[] | undefined
  /** Names of environments. */
  readonly environment?: string | readonly string[] | undefined
  /** Applications: events of one have the same. */
  readonly groupId?: string | readonly string[] | undefined
  /** The first day, `2026-03-01`, UTC. */
  readonly from?: string | undefined
  /** The last day, `2026-03-31`, UTC. */
  readonly to?: string | undefined
}

/**
 * Which part of what matches is answered.
 *
 * @example
 * ```ts
 * const page: EventPageOptions = { limit: 100, before: 5_000 }
 * ```
 */
export interface EventPageOptions {
  /** How many a page has at most. */
  readonly limit?: number | undefined
  /** How many are left out; `before` is cheaper far from the start. */
  readonly offset?: number | undefined
  /** By id. @defaultValue 'desc' */
  readonly order?: 'asc' | 'desc' | undefined
  /** Only events below this id. */
  readonly before?: number | undefined
  /** Only events above this id. */
  readonly after?: number | undefined
}

/**
 * A page of the log.
 *
 * @example
 * ```ts
 * let page: EventPageAnswer = await client.searchEvents({ project: 'shop' })
 * while (page.next !== null) page = await client.searchEvents({ project: 'shop' }, { before: page.next })
 *
 * declare const client: Client
 * ```
 */
export interface EventPageAnswer extends Answer<EventSearchView> {
  /** Whether `total` is a lower bound. */
  readonly atLeast: boolean
  /** The `before` of the next page, or null where none follows. A page may be short, and even empty, while one does. */
  readonly next: number | null
}

/** The parameters of the interface for a filter. */
export function toEventQuery(filter: EventFilter): Record<string, string> {
  const { query, ...values } = filter
  const given = Object.entries(values).flatMap(([name, value]) => {
    const list = [value].flat().filter((item) => item !== undefined)
    return list.length === 0 ? [] : [[name, `${list.length === 1 ? 'IS' : 'IS_ANY_OF'}:${list.join(',')}`]]
  })
  return { ...Object.fromEntries(given), ...(query && { query }) }
}

/** What is read of the event log, but for what has no end. */
export function eventCalls({ fetch, json }: Sender) {
  return {
    async searchEvents(
      filter: EventFilter = {},
      page: EventPageOptions = {},
      options?: CallOptions,
    ): Promise<EventPageAnswer> {
      const response = await fetch('/search/events', { query: { ...toEventQuery(filter), ...page }, ...options })
      const next = /<([^>]*)>;\s*rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
      const before = next && new URLSearchParams(next.slice(next.indexOf('?'))).get('before')
      return {
        body: await readBody(response, options?.signal),
        etag: response.headers.get('etag'),
        atLeast: response.headers.get('total-count') === 'at-least',
        next: before ? Number(before) : null,
      }
    },
    /** How many events each day has; the days are plain dates, UTC. */
    activity(
      days: { readonly from: string; readonly to: string; readonly project?: string | undefined },
      options?: CallOptions,
    ): Promise<Answer<EventActivityView>> {
      return json('/search/events/activity', { query: { ...days }, ...options })
    },
    /** Who has written events. */
    eventCreators(options?: CallOptions): Promise<Answer<EventCreatorsView>> {
      return json('/event-creators', options)
    },
  }
}
