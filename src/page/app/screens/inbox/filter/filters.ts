import type { StateName } from '../../../../../generated'
import { states } from '../../../../../generated/lists'

export type TabId = 'me' | 'mine' | 'all'

/** What the address says about the list. */
export interface Filters {
  readonly tab: TabId
  readonly project: string | undefined
  readonly environment: string | undefined
  readonly state: StateName | undefined
  /** Only those that request a review of the caller. */
  readonly requested: 'me' | undefined
  /** Only those that need acknowledgement. */
  readonly afterReview: 'open' | undefined
  readonly query: string | undefined
}

/** Reads the query of the address; what it does not know is left out. */
export function readFilters(query: URLSearchParams): Filters {
  const tab = query.get('needs')
  const state = query.get('state')
  return {
    tab: tab === 'mine' || tab === 'all' ? tab : 'me',
    project: query.get('project') || undefined,
    environment: query.get('environment') || undefined,
    state: states.find((one) => one === state),
    requested: query.get('requested') === 'me' ? 'me' : undefined,
    afterReview: query.get('afterReview') === 'open' ? 'open' : undefined,
    query: query.get('query') || undefined,
  }
}

/** The first page of the list; what needs the caller comes in the order in which it waits. */
export function toReviewsQuery({ tab, ...rest }: Filters) {
  return { needs: tab, order: tab === 'me' ? 'waiting' : 'newest', ...rest, limit: 50 } as const
}

/** The address of a tab with the same filters. */
export function tabPath(tab: string, query: URLSearchParams): string {
  const next = new URLSearchParams(query)
  if (tab === 'me') next.delete('needs')
  else next.set('needs', tab)
  const text = next.toString()
  return text === '' ? '/' : `/?${text}`
}

export function isFiltered({ tab: _, ...filters }: Filters): boolean {
  return Object.values(filters).some((one) => one !== undefined)
}

/** The query without filters. */
export const noFilters = {
  project: undefined,
  environment: undefined,
  state: undefined,
  requested: undefined,
  afterReview: undefined,
}
