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

async function* pages(storage: Storage, scope: EventScope, { lastId }: EventHead, most: number) {
  let before = lastId + 1
  let left = most
  while (left > 0 && before > 1) {
    const limit = Math.min(pageSize, left)
    const page = await storage.eventPage(scope, { before }, limit)
    if (page.count > 0) yield page.json
    if (page.count < limit) return
    before = page.lastId
    left -= page.count
  }
}
