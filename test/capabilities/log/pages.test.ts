import type { Storage } from '../../../src'
import { readEventRange } from '../../../src/capabilities/log/read-event-range'
import { readEvents, readPages, readShort } from '../../../src/capabilities/log/read-events'
import { eachEvent, idOf, separator } from '../../../src/kernel/log/event-bytes'
import type { EventPage } from '../../../src/ports/storage/events'
import { memoryStorage } from '../../../src/storage/memory'
import { sampleEvent } from '../../../src/testing/samples'
import { collect } from '../../kernel/support/fixture'

/** A log with the given number of events, and the pages that were requested. */
async function log(count: number) {
  const memory = memoryStorage()
  for (let n = 1; n <= count; n += 1) await memory.appendEvents([sampleEvent(n, n % 2 ? 'shop' : 'blog')])
  const asked: unknown[] = []
  const storage: Storage = {
    ...memory,
    eventPage(filter, cursor, limit, grouped) {
      asked.push([cursor, limit, grouped])
      return memory.eventPage(filter, cursor, limit, grouped)
    },
  }
  return { memory, storage, asked }
}

const idsOf = (pages: readonly EventPage[]) => pages.map((page) => eachEvent(page).map(idOf))
const range = (from: number, to: number) =>
  Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => from + (to > from ? index : -index))

describe('the bytes of events', () => {
  it('are split at the separator, which no event contains', async () => {
    const { storage } = await log(3)
    const page = await storage.eventPage({}, { after: 0 }, 10)
    const events = eachEvent(page)
    expect(events.map((event) => JSON.parse(String(Buffer.from(event))).data)).toEqual([1, 2, 3])
    expect(Buffer.concat([Buffer.from(events[0] as Uint8Array), separator]).toString()).toMatch(/^\{.*\},\n$/)
    expect(events.map(idOf)).toEqual([1, 2, 3])
  })

  it('are an empty list without an event, whose id is 0', () => {
    expect(eachEvent({ json: Buffer.alloc(0) } as never)).toEqual([])
    expect(idOf(undefined)).toBe(0)
    expect(idOf(Buffer.from('{"id":9007199254740991,"type":"a"}'))).toBe(9_007_199_254_740_991)
  })
})

describe('readEvents', () => {
  it('reads newest first, only events from before it was opened, up to the limit', async () => {
    const { storage, memory } = await log(5)
    const list = await readEvents(storage, {}, 3)
    await memory.appendEvents([sampleEvent('late')])
    expect([list.head, idsOf(await collect(list.pages()))]).toEqual([
      expect.objectContaining({ lastId: 5, total: 5 }),
      [[5, 4, 3]],
    ])
    expect(idsOf(await collect((await readEvents(storage, {}, 99)).pages()))).toEqual([[6, 5, 4, 3, 2, 1]])
  })

  it('counts and reads the events in the scope', async () => {
    const { storage } = await log(5)
    const list = await readEvents(storage, { projects: ['shop'] }, 99)
    expect([list.head, idsOf(await collect(list.pages()))]).toEqual([
      expect.objectContaining({ lastId: 5, total: 3 }),
      [[5, 3, 1]],
    ])
  })

  it('requests no page of an empty log', async () => {
    const { storage, asked } = await log(0)
    const list = await readEvents(storage, {}, 3)
    expect([list.head, await collect(list.pages()), asked]).toEqual([{ lastId: 0, total: 0, fingerprint: '' }, [], []])
  })
})

describe('readShort', () => {
  const [start, all] = [{ before: Number.MAX_SAFE_INTEGER }, {}]

  /** The same log, with the number of heads that were read. */
  async function counted(count: number, beforeHead: (memory: Storage) => Promise<void> = async () => {}) {
    const { memory, storage, asked } = await log(count)
    const heads = { read: 0 }
    const eventHead: Storage['eventHead'] = async (scope) => {
      heads.read += 1
      await beforeHead(memory)
      return memory.eventHead(scope)
    }
    return { memory, asked, heads, storage: { ...storage, eventHead } }
  }

  it.each([0, 1, 499])('reads one page and no head of %d events', async (count) => {
    const { storage, memory, asked, heads } = await counted(count)
    const list = await readShort(storage, all)

    expect(list.head).toEqual(await memory.eventHead(all))
    expect(idsOf(await collect(list.pages())).flat()).toEqual(count === 0 ? [] : range(count, 1).slice(0, count))
    expect([asked, heads.read]).toEqual([[[start, 500, undefined]], 0])
  })

  it('reads the head and the other pages of a longer list, and no page again', async () => {
    const { storage, memory, asked, heads } = await counted(700)
    const list = await readShort(storage, all)

    expect(list.head).toEqual(await memory.eventHead(all))
    expect(idsOf(await collect(list.pages()))).toEqual([range(700, 201), range(200, 1)])
    expect(asked).toEqual([
      [start, 500, undefined],
      [{ before: 201 }, 500, false],
    ])
    expect(heads.read).toBe(1)
  })

  it('starts again if an event was written before the head was read', async () => {
    const { storage } = await counted(600, (memory) => memory.appendEvents([sampleEvent('new')]))
    const list = await readShort(storage, all)

    expect(list.head).toMatchObject({ lastId: 601, total: 601 })
    expect(idsOf(await collect(list.pages()))).toEqual([range(601, 502), range(501, 2), [1]])
  })
})

describe('readPages', () => {
  it('reads a page of 100, then pages of 500 until none are left, in both directions', async () => {
    const { storage, asked } = await log(1_100)
    expect(idsOf(await collect(readPages(storage, {}, { after: 50 })))).toEqual([
      range(51, 150),
      range(151, 650),
      range(651, 1100),
    ])
    expect(idsOf(await collect(readPages(storage, {}, { before: 1_001 }, { grouped: true })))).toEqual([
      range(1000, 901),
      range(900, 401),
      range(400, 1),
    ])
    expect(asked).toEqual([
      [{ after: 50 }, 100, false],
      [{ after: 150 }, 500, false],
      [{ after: 650 }, 500, false],
      [{ before: 1001 }, 100, true],
      [{ before: 901 }, 500, true],
      [{ before: 401 }, 500, true],
    ])
  })

  it('requests fewer events the larger they are, so that a page has about a megabyte', async () => {
    const memory = memoryStorage()
    const sizes = [...Array(40).fill(300_000), ...Array(30).fill(50_000), ...Array(300).fill(100)]
    for (const size of sizes) await memory.appendEvents([sampleEvent('x'.repeat(size))])
    const limits: number[] = []
    const storage: Storage = {
      ...memory,
      eventPage(filter, cursor, limit) {
        limits.push(limit)
        return memory.eventPage(filter, cursor, limit)
      },
    }
    const pages = await collect(readPages(storage, {}, { after: 0 }))

    expect(idsOf(pages).flat()).toEqual(range(1, sizes.length))
    // The first page has 100 events of 135 kB on average. After small events, pages are large again.
    expect(limits.slice(0, 3)).toEqual([100, 7, 500])
  })

  it('requests at most the rest of the limit', async () => {
    const { storage, asked } = await log(1_100)
    const pages = await collect(readPages(storage, {}, { after: 0 }, { max: 700 }))
    expect(pages.map(({ count }) => count)).toEqual([100, 500, 100])
    expect(await collect(readPages(storage, {}, { after: 0 }, { max: 100 }))).toHaveLength(1)
    expect(asked.map((one) => (one as unknown[])[1])).toEqual([100, 500, 100, 100])
  })

  it('continues after a full page at the end of the log when reading forward', async () => {
    const { storage } = await log(600)
    expect((await collect(readPages(storage, {}, { after: 0 }))).map(({ count }) => count)).toEqual([100, 500, 0])
  })

  it('requests the next page before the current one is consumed', async () => {
    const { storage, asked } = await log(1_000)
    const pages = readPages(storage, {}, { after: 0 })
    await pages.next()
    expect(asked).toHaveLength(2)
    await pages.return(undefined)
  })

  it('throws when the consumer reaches a page that cannot be read', async () => {
    const { memory } = await log(1_000)
    let count = 0
    const storage: Storage = {
      ...memory,
      async eventPage(...query) {
        count += 1
        if (count === 2) throw new Error('out of reach')
        return memory.eventPage(...query)
      },
    }
    const pages = readPages(storage, {}, { after: 0 })
    expect((await pages.next()).value?.count).toBe(100)
    // The failure of a page that nobody waits for yet must not end the process.
    await new Promise(setImmediate)
    await expect(pages.next()).rejects.toThrow('out of reach')
  })
})

describe('readEventRange', () => {
  const between = async (storage: Storage, oldestFirst: boolean, after: number, before: number) =>
    idsOf(await collect(readEventRange(storage, {}, { oldestFirst, after, before }, false))).flat()

  it('reads the events between two ids, in the requested order', async () => {
    const { storage } = await log(9)
    expect(await between(storage, true, 2, 7)).toEqual([3, 4, 5, 6])
    expect(await between(storage, false, 2, 7)).toEqual([6, 5, 4, 3])
    expect(await between(storage, true, 0, 99)).toEqual(range(1, 9))
    expect(await between(storage, false, 0, 99)).toEqual(range(9, 1))
    expect(await between(storage, true, 4, 5)).toEqual([])
    expect(await between(storage, false, 4, 5)).toEqual([])
    expect(await between(storage, true, 8, 9)).toEqual([])
  })

  it('requests no further page after the end of its range', async () => {
    const { storage, asked } = await log(1_600)
    expect(await between(storage, true, 0, 600)).toEqual(range(1, 599))
    expect(await between(storage, false, 1_000, 1_601)).toEqual(range(1_600, 1_001))
    expect(asked.map((one) => (one as unknown[])[0])).toEqual([
      { after: 0 },
      { after: 100 },
      { after: 600 },
      { before: 1601 },
      { before: 1501 },
      { before: 1001 },
      { before: 501 },
    ])
  })

  it('counts the events in a truncated page', async () => {
    const { storage } = await log(9)
    const [page] = await collect(readEventRange(storage, {}, { oldestFirst: true, after: 0, before: 4 }, true))
    expect([page?.count, page && JSON.parse(`[${Buffer.from(page.json)}]`).length]).toEqual([3, 3])
  })

  it('ends with an empty page if no event is in the range', async () => {
    const { storage } = await log(3)
    const pages = readEventRange(storage, { projects: ['none'] }, { oldestFirst: true, after: 0, before: 9 }, false)
    expect((await collect(pages)).map(({ count }) => count)).toEqual([0])
  })

  it('stops at the bound also if the last searched event does not match', async () => {
    const { storage } = await log(9)
    const filter = { query: '"no such text"' }
    const pages = readEventRange(storage, filter, { oldestFirst: true, after: 0, before: 4 }, false)
    expect((await collect(pages)).map(({ count, json }) => [count, json.length])).toEqual([[0, 0]])
  })
})
