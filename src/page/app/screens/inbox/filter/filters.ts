import type { StateName } from '../../../../../generated'
import { states } from '../../../../../generated/lists'

export type TabId = 'me' | 'mine' | 'all' | 'applied'

/** A filter that takes a value. */
export type FilterName = 'project' | 'environment' | 'state' | 'author' | 'feature' | 'created'

export const orders = {
  waiting: 'Waiting longest first',
  recent: 'Last changed first',
  newest: 'Newest first',
} as const

type Order = keyof typeof orders

/** What the address says about the list. */
export interface Filters {
  readonly tab: TabId
  readonly project: string | undefined
  readonly environment: string | undefined
  readonly state: StateName | undefined
  /** The id of a user. */
  readonly author: number | undefined
  readonly feature: string | undefined
  /** The first instant of a day in the zone of the viewer, and the first one after a day. */
  readonly createdFrom: string | undefined
  readonly createdTo: string | undefined
  /** Only those that request a review of the caller. */
  readonly requested: 'me' | undefined
  /** Only those that need acknowledgement. */
  readonly afterReview: 'open' | undefined
  readonly query: string | undefined
  readonly order: Order
}

/** Reads the query of the address; what it does not know is left out. */
export function readFilters(query: URLSearchParams): Filters {
  const needs = query.get('needs')
  const tab = tabIds.find((one) => one === needs) ?? 'me'
  const [state, order, author] = ['state', 'order', 'author'].map((name) => query.get(name))
  return {
    tab,
    project: query.get('project') || undefined,
    environment: query.get('environment') || undefined,
    state: tab === 'applied' ? undefined : states.find((one) => one === state),
    author: readUser(author ?? ''),
    feature: query.get('feature') || undefined,
    createdFrom: readInstant(query.get('createdFrom')),
    createdTo: readInstant(query.get('createdTo')),
    requested: query.get('requested') === 'me' ? 'me' : undefined,
    afterReview: query.get('afterReview') === 'open' ? 'open' : undefined,
    query: query.get('query') || undefined,
    order: order != null && order in orders ? (order as Order) : orderOf(tab),
  }
}

const tabIds: readonly TabId[] = ['me', 'mine', 'all', 'applied']

/** The order of a tab without another one in the address. */
export const orderOf = (tab: TabId): Order => (tab === 'me' ? 'waiting' : tab === 'applied' ? 'recent' : 'newest')

/** The id of a user. */
export const readUser = (text: string): number | undefined => (/^\d{1,15}$/.test(text) ? Number(text) : undefined)

function readInstant(text: string | null): string | undefined {
  const moment = Date.parse(text ?? '')
  return Math.abs(moment) < 8e15 ? new Date(moment).toISOString() : undefined
}

/** When a day begins in the zone of the viewer, or the one `later`; undefined for no day. */
export function startOf(day: string, later = 0): string | undefined {
  if (day === '') return undefined
  // Without a zone, it is midnight there.
  const start = new Date(`${day}T00:00`)
  start.setDate(start.getDate() + later)
  return start.toISOString()
}

/** The first page of the list. */
export function toReviewsQuery({ tab, order, ...rest }: Filters) {
  const part =
    tab === 'applied' ? ({ needs: 'all', order, ...rest, state: 'Applied' } as const) : { needs: tab, order, ...rest }
  return { ...part, limit: 50 } as const
}

/** The address of the inbox with a query, below the mount. */
export function inboxPath(query: URLSearchParams): string {
  const text = query.toString()
  return text === '' ? '/' : `/?${text}`
}

/** The address of a tab with the same filters. */
export function tabPath(tab: string, query: URLSearchParams): string {
  const next = new URLSearchParams(query)
  next.delete('order')
  if (tab === 'me') next.delete('needs')
  else next.set('needs', tab)
  return inboxPath(next)
}

export function isFiltered({ tab: _, order: __, ...filters }: Filters): boolean {
  return Object.values(filters).some((one) => one !== undefined)
}

/** The query without filters. */
export const noFilters = {
  project: undefined,
  environment: undefined,
  state: undefined,
  author: undefined,
  feature: undefined,
  createdFrom: undefined,
  createdTo: undefined,
  requested: undefined,
  afterReview: undefined,
}
