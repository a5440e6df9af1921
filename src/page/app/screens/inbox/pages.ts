import type { EventView, InboxTotalsView, ReviewListItemView, ReviewsView } from '../../../../generated'

/** Whether something about a row may have changed. */
type Change = (row: ReviewListItemView) => boolean

/** The pages of a list that are on the screen. */
export interface PagedList {
  readonly pages: Page[]
  /** How many are wanted. */
  count: number
  /** What happened since the pages were read. */
  readonly changes: Change[]
}

/** Each page begins where the one before it ends. */
interface Page {
  readonly reviews: readonly ReviewListItemView[]
  readonly next: string | null
  outdated: boolean
}

/** What all pages say. */
export interface Found {
  readonly reviews: readonly ReviewListItemView[]
  readonly next: string | null
  readonly totals: InboxTotalsView | null
}

/** Reads the first page, the pages with rows that may have changed, and those that are not there yet. */
export async function readPages(
  { pages, count, changes }: PagedList,
  read: (cursor: string | undefined) => Promise<{ readonly body: ReviewsView }>,
): Promise<{ readonly body: Found }> {
  const since = changes.splice(0)
  for (const page of pages) page.outdated ||= page.reviews.some((row) => since.some((isChanged) => isChanged(row)))
  const fresh: ReviewListItemView[] = []
  let totals: InboxTotalsView | null = null
  let next: string | null | undefined
  for (let n = 0; n < count && next !== null; n++) {
    let page = pages[n]
    if (n === 0 || page === undefined || page.outdated) {
      const { body } = await read(next)
      const following = pages[n + 1]
      if (page && following) pages[n + 1] = continued(following, page.reviews, body.reviews)
      page = { reviews: body.reviews, next: body.next, outdated: false }
      pages[n] = page
      fresh.push(...page.reviews)
      totals ??= body.totals
    }
    next = page.next
    if (next === null) pages.length = n + 1
  }
  // A change request that moved between two answers is in both.
  const reviews = new Map(pages.flatMap((page) => page.reviews.map((row) => [row.id, row])))
  for (const row of fresh) reviews.set(row.id, row)
  return { body: { reviews: [...reviews.values()], next: next ?? null, totals } }
}

/** The page after one that was read again: it takes over what fell out of that one, or loses what that one has now. */
function continued(page: Page, before: Page['reviews'], now: Page['reviews']): Page {
  const rows = [...before, ...page.reviews]
  const last = rows.findIndex(({ id }) => id === now.at(-1)?.id)
  return { ...page, reviews: rows.slice(last + 1), outdated: page.outdated || last < 0 }
}

/** What events change: what happens to a flag or a segment changes effects, conflicts and approvals. */
export function changedBy(events: readonly EventView[]): Change {
  return ({ id, project, features, segments }) =>
    events.some((event) => {
      const { data, featureName } = event
      if (data?.changeRequestId === id) return true
      if (event.project && event.project !== project) return false
      return featureName ? features.includes(featureName) : segments.length > 0
    })
}
