import { entityTag } from '../kernel/etag'
import type { Services } from '../kernel/services'
import { toChangeRequestView, toListedView } from '../kernel/view/change-request'
import { type DescribedFor, describeAll, describeOne } from '../kernel/view/describe'
import { mapPages, type Page } from '../kernel/view/pages'
import type { StoredChangeRequest } from '../ports/storage/change-requests'
import { emptyReply, jsonReply, type Reply, uncachedJson } from './reply'

/** A change request that was read. If a hook fails, so does the request. */
export function viewRead(stored: StoredChangeRequest, services: Services): Promise<Reply> {
  return viewChangeRequest(stored, services, 'read')
}

/** A change request after a write, which is already committed: if a hook fails, only its details are left out. */
export function viewWritten(stored: StoredChangeRequest, services: Services): Promise<Reply> {
  return viewChangeRequest(stored, services, 'write')
}

async function viewChangeRequest(stored: StoredChangeRequest, services: Services, purpose: DescribedFor) {
  const described = await describeOne(services, stored, purpose)
  return jsonReply(toChangeRequestView(described, services.options), { ETag: entityTag(stored) })
}

/** The empty response of a write, with the entity tag of the change request (contract 2.4). */
export function viewEmpty(status: 200 | 204): (stored: StoredChangeRequest) => Reply {
  return (stored) => emptyReply(status, { ETag: entityTag(stored) })
}

export function viewList(pages: AsyncIterable<Page<StoredChangeRequest>>, services: Services): Promise<Reply> {
  return jsonPagesReply(mapPages(pages, async (items) => (await describeAll(services, items)).map(toListedView)))
}

/** One page at a time in memory. An error before the first page is a response; a later one closes the connection. */
export async function jsonPagesReply(pages: AsyncGenerator<Page<object>>, before = '[', after = ']'): Promise<Reply> {
  const { value: first } = await pages.next()
  if (first === undefined) throw new Error('A list must have at least one page.')
  if (first.last) return { ...uncachedJson(), body: before + textOf(first) + after }
  return { ...uncachedJson(), stream: stream(first, pages, before, after) }
}

async function* stream(first: Page<object>, rest: AsyncIterable<Page<object>>, before: string, after: string) {
  yield [Buffer.from(before + textOf(first))]
  let separator = first.items.length === 0 ? '' : ','
  for await (const page of rest) {
    if (page.items.length === 0) continue
    yield [Buffer.from(separator + textOf(page))]
    separator = ','
  }
  yield [Buffer.from(after)]
}

function textOf({ items }: Page<object>): string {
  return JSON.stringify(items).slice(1, -1)
}
