import type { ListCursor, ListedPage, ListPage } from '../../ports/storage/change-requests'

export interface Page<Item> {
  readonly items: readonly Item[]
  readonly last: boolean
}

export const pageBytes = 1 << 20
/** Maximum number of items whose sizes a storage reads to choose a page. */
export const pageItems = 1_000

/** Reads a list page by page: at least one page, and at most `maxItems` items. */
export async function* readPages<Item>(
  read: (page: ListPage) => Promise<ListedPage<Item>>,
  maxItems = Number.POSITIVE_INFINITY,
): AsyncGenerator<Page<Item>> {
  let after: ListCursor | null = null
  let left = maxItems
  do {
    const limit = Math.min(left, pageItems)
    const { items, next }: ListedPage<Item> = await read({ ...(after && { after }), limit, bytes: pageBytes })
    left -= items.length
    after = left > 0 ? next : null
    yield { items, last: after === null }
  } while (after !== null)
}

export async function* mapPages<From, To>(
  pages: AsyncIterable<Page<From>>,
  toItems: (items: readonly From[]) => Promise<readonly To[]> | readonly To[],
): AsyncGenerator<Page<To>> {
  for await (const { items, last } of pages) yield { items: await toItems(items), last }
}
