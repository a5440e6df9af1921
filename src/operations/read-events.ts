import type { EventHead, EventScope, Storage } from '../ports/storage'

/** What a list of events begins with; `pages` are JSON texts of events, newest first, none of them held twice. */
export interface EventList {
  readonly head: EventHead
  pages(): AsyncGenerator<Uint8Array>
}

/** The log of the instance answers this many events; a project answers all (contract 9.2). */
const instanceEvents = 100

/** Big enough to make a query worth its round trip, small enough to be gone from memory soon. */
const pageSize = 500

/** Opens the list of a project or of the instance: what is in it is settled here, and read only as it is sent. */
export async function readEvents(storage: Storage, scope: EventScope): Promise<EventList> {
  const head = await storage.eventHead(scope)
  const most = scope.project === undefined ? instanceEvents : Number.POSITIVE_INFINITY
  return { head, pages: () => pages(storage, scope, head, most) }
}

/** The next page is asked for before the present one is sent, so that database and socket work at the same time. */
async function* pages(storage: Storage, scope: EventScope, { lastId }: EventHead, most: number) {
  const read = (before: number, left: number) => {
    const limit = Math.min(pageSize, left)
    const page = storage.eventPage(scope, { before }, limit)
    // Nobody waits for it once the client has left.
    page.catch(() => undefined)
    return { page, limit, left }
  }
  let next = lastId > 0 ? read(lastId + 1, most) : undefined
  while (next !== undefined) {
    const { limit, left } = next
    const page = await next.page
    const more = page.count === limit && left > limit && page.lastId > 1
    next = more ? read(page.lastId, left - limit) : undefined
    if (page.count > 0) yield page.json
  }
}
