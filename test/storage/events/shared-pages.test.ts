import { generateKeyPairSync } from 'node:crypto'
import { createEventChain, type EventPage, memoryStorage, type Storage } from '../../../src'
import { sampleEvent } from '../../../src/testing/samples'
import { people, startApp, type TestApp } from '../../support/app'
import { openSource } from '../../support/events/event-source'
import { memoryLedger } from '../../support/memory-ledger'

/** A valid storage that returns the same page object, with the same bytes, for the same read. */
function sharing(inner: Storage) {
  const pages = new Map<string, { readonly page: EventPage; readonly before: Buffer }>()
  const storage: Storage = {
    ...inner,
    async eventPage(filter, cursor, limit, grouped) {
      const key = JSON.stringify([filter, cursor, limit, grouped])
      const shared = pages.get(key)
      if (shared !== undefined) return shared.page
      const page = await inner.eventPage(filter, cursor, limit, grouped)
      if (page.count > 0) pages.set(key, { page, before: Buffer.from(page.json) })
      return page
    },
  }
  return { storage, pages: () => [...pages.values()] }
}

describe('a page of events that a storage shares between reads', () => {
  const { storage, pages } = sharing(memoryStorage())
  let app: TestApp

  beforeAll(async () => {
    app = await startApp({ storage })
    const rows = Array.from({ length: 1_200 }, (_, index) => sampleEvent(`Größe ${index}`))
    await storage.appendEvents(rows)
  })
  afterAll(() => app.close())

  const url = (path: string) => `http://127.0.0.1:${app.port}/api/admin${path}`
  const headers = { Authorization: people.ann.key }
  const get = (path: string, accept: string) => async () =>
    (await fetch(url(path), { headers: { ...headers, Accept: accept } })).text()

  async function follow(): Promise<string> {
    let arrived = () => {}
    const all = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const source = await openSource(url('/events'), {
      headers: { ...headers, 'Last-Event-ID': '0' },
      onMessage: ({ lastEventId }) => lastEventId.startsWith('1200-') && arrived(),
    })
    await all
    source.leave()
    return source.messages.map(({ data }) => data).join()
  }

  async function seal(): Promise<number> {
    const { privateKey } = generateKeyPairSync('ed25519')
    return createEventChain({ storage, ledger: memoryLedger(), privateKey }).seal()
  }

  it.each<[string, () => Promise<unknown>]>([
    ['the list', get('/events', 'application/json')],
    ['a search', get('/search/events?limit=100', 'application/json')],
    ['a search for a text', get('/search/events?query=Gr%C3%B6%C3%9Fe', 'application/json')],
    ['an export as NDJSON', get('/events', 'application/x-ndjson')],
    ['an export as CSV', get('/events', 'text/csv')],
    ['a follower', follow],
    ['a hash chain', seal],
  ])('is not modified by %s', async (_, read) => {
    const first = await read()

    expect(await read()).toEqual(first)
    expect(pages().length).toBeGreaterThan(0)
    for (const { page, before } of pages()) expect(Buffer.compare(page.json, before)).toBe(0)
  })
})
