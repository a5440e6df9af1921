import type { Page } from '../kernel/view/pages'
import { type Reply, uncachedJson } from './reply'

/**
 * A list as JSON, with one page at a time in memory. The first page is read before anything is sent: an error until then
 * becomes an error response, a later one closes the connection.
 */
export async function jsonPagesReply(pages: AsyncGenerator<Page<object>>, before = '[', after = ']'): Promise<Reply> {
  const { value: first } = await pages.next()
  if (first === undefined) throw new Error('A list must have at least one page.')
  if (first.last) return { ...uncachedJson(), body: before + textOf(first) + after }
  return { ...uncachedJson(), stream: stream(first, pages, before, after) }
}

async function* stream(
  first: Page<object>,
  rest: AsyncIterable<Page<object>>,
  before: string,
  after: string,
): AsyncGenerator<Uint8Array[]> {
  yield [Buffer.from(before + textOf(first))]
  let separator = first.items.length === 0 ? '' : ','
  for await (const page of rest) {
    if (page.items.length === 0) continue
    yield [Buffer.from(separator + textOf(page))]
    separator = ','
  }
  yield [Buffer.from(after)]
}

/** The items, separated by commas. */
function textOf({ items }: Page<object>): string {
  return JSON.stringify(items).slice(1, -1)
}
