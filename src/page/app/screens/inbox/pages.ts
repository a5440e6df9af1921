import type { EventView, InboxTotalsView, ReviewListItemView, ReviewsView } from '../../../../generated'

/** The pages of a list that are on the screen. */
export interface PagedList {
  pages: Page[]
  /** How many are wanted. */
  count: number
}

/** A page that was read, and whether something in it may have changed since. */
interface Page {
  readonly cursor: string | undefined
  readonly body: ReviewsView
  outdated: boolean
}

/** What all pages say. */
export interface Found {
  readonly reviews: readonly ReviewListItemView[]
  readonly next: string | null
  readonly totals: InboxTotalsView | null
}

/** Reads the first page, the pages that may be outdated, and those that are not there yet. */
export async function readPages(
  list: PagedList,
  read: (cursor: string | undefined) => Promise<{ readonly body: ReviewsView }>,
): Promise<{ readonly body: Found }> {
  const pages: Page[] = []
  let cursor: string | undefined
  for (let n = 0; n < list.count; n++) {
    const known = list.pages[n]
    // After a page that became longer or shorter, the next one begins elsewhere.
    const isKept = n > 0 && known !== undefined && !known.outdated && known.cursor === cursor
    const { body } = isKept ? known : await read(cursor)
    pages.push({ cursor, body, outdated: false })
    if (body.next === null) break
    cursor = body.next
  }
  list.pages = pages
  // A change request that moved between two answers is in both.
  const reviews = new Map(pages.flatMap(({ body }) => body.reviews.map((one) => [one.id, one] as const)))
  const next = pages.at(-1)?.body.next ?? null
  return { body: { reviews: [...reviews.values()], next, totals: pages[0]?.body.totals ?? null } }
}

/** Marks the pages that the events are about; without events all of them. */
export function markOutdated({ pages }: PagedList, events: readonly EventView[]): void {
  for (const page of pages) {
    page.outdated ||=
      events.length === 0 || page.body.reviews.some((row) => events.some((event) => concerns(event, row)))
  }
}

/** What happens to a flag or a segment changes effects, conflicts and approvals. */
function concerns(event: EventView, { id, project, features, segments }: ReviewListItemView): boolean {
  const { data, featureName } = event
  if (data?.changeRequestId === id) return true
  if (event.project && event.project !== project) return false
  return featureName ? features.includes(featureName) : segments.length > 0
}
