import type { EventCursor, EventFilter, EventHead, EventScope } from '../../../ports/storage/events'
import type { Storage } from '../../../ports/storage/storage'
import { allEvents, eventsOf, oddText, type SeenEvent, sampleEvent, textOf } from '../../samples'
import { type StorageSuite, together } from '../suite'

const newest: EventCursor = { before: Number.MAX_SAFE_INTEGER }
const oldest: EventCursor = { after: 0 }

export function describeEvents(suite: StorageSuite): void {
  suite.describe('eventHead(scope)', () => describeHead(suite))
  suite.describe('eventPage(filter, cursor, limit)', () => {
    describePages(suite)
    describeScopes(suite)
    describeBytes(suite)
  })
}

function describeHead({ test, expect }: StorageSuite): void {
  test('returns 0 and 0 for an empty log and for a project without events', async (storage) => {
    expect(await storage.eventHead({})).toEqual({ lastId: 0, total: 0, fingerprint: '' })
    await storage.appendEvents([sampleEvent('a')])

    expect(await storage.eventHead({ projects: ['blog'] })).toEqual({ lastId: 0, total: 0, fingerprint: '' })
  })

  test('returns the newest id and the count of a project, and of all events including those without a project', async (storage) => {
    await appendMixed(storage)
    const [a, b, c, d] = (await allEvents(storage)).map(({ id }) => id)

    expect([a, b, c, d].every((id) => id !== undefined)).toBe(true)
    expect(sizeOf(await storage.eventHead({}))).toEqual({ lastId: d, total: 4 })
    expect(sizeOf(await storage.eventHead({ projects: ['shop'] }))).toEqual({ lastId: c, total: 2 })
    expect(sizeOf(await storage.eventHead({ projects: ['blog'] }))).toEqual({ lastId: b, total: 1 })
  })

  test('returns an id and a count from the same moment while 20 writers append', async (storage) => {
    const writers = together(20, async (index) => {
      await storage.appendEvents([sampleEvent(index, index % 2 === 0 ? 'shop' : null)])
      return Promise.all([storage.eventHead({}), storage.eventHead({ projects: ['shop'] })])
    })
    const heads = await writers
    const all = await allEvents(storage)
    const shop = all.filter(({ project }) => project === 'shop')

    const upTo = (events: readonly SeenEvent[], lastId: number) => events.filter(({ id }) => id <= lastId).length
    expect(heads.map(([instance]) => instance.total)).toEqual(heads.map(([{ lastId }]) => upTo(all, lastId)))
    expect(heads.map(([, project]) => project.total)).toEqual(heads.map(([, { lastId }]) => upTo(shop, lastId)))
    expect(sizeOf(await storage.eventHead({}))).toEqual({ lastId: all.at(-1)?.id, total: 20 })
    expect(sizeOf(await storage.eventHead({ projects: ['shop'] }))).toEqual({ lastId: shop.at(-1)?.id, total: 10 })
  })
}

function sizeOf({ lastId, total }: EventHead) {
  return { lastId, total }
}

function describePages({ test, expect }: StorageSuite): void {
  test('returns the newest first below an id, the oldest first above one', async (storage) => {
    const ids = await appendNumbered(storage, 6)

    expect(await pageIds(storage, {}, newest, 10)).toEqual([...ids].reverse())
    expect(await pageIds(storage, {}, oldest, 10)).toEqual(ids)
    expect(await pageIds(storage, {}, { before: ids[3] ?? 0 }, 10)).toEqual(ids.slice(0, 3).reverse())
    expect(await pageIds(storage, {}, { after: ids[3] ?? 0 }, 10)).toEqual(ids.slice(4))
  })

  test('returns the events next to the cursor, at most the limit', async (storage) => {
    const ids = await appendNumbered(storage, 6)

    expect(await pageIds(storage, {}, newest, 2)).toEqual(ids.slice(4).reverse())
    expect(await pageIds(storage, {}, oldest, 2)).toEqual(ids.slice(0, 2))
    expect(await pageIds(storage, {}, { before: ids[4] ?? 0 }, 1)).toEqual([ids[3]])
    expect(await pageIds(storage, {}, { after: ids[1] ?? 0 }, 1)).toEqual([ids[2]])
  })

  test('returns an empty page if there are no events', async (storage) => {
    const empty = { count: 0, lastId: 0, text: '' }
    const page = async (scope: EventScope, cursor: EventCursor) => {
      const { count, lastId, json } = await storage.eventPage(scope, cursor, 10)
      return { count, lastId, text: textOf(json) }
    }
    expect(await page({}, newest)).toEqual(empty)
    expect(await page({}, oldest)).toEqual(empty)

    const [first = 0, last = 0] = await appendNumbered(storage, 2)
    expect(await page({}, { before: first })).toEqual(empty)
    expect(await page({}, { after: last })).toEqual(empty)
    expect(await page({ projects: ['blog'] }, newest)).toEqual(empty)
  })

  test('continues from page to page without gaps or repeats, in both directions', async (storage) => {
    const ids = await appendNumbered(storage, 23)

    expect(await walk(storage, {}, newest)).toEqual([...ids].reverse())
    expect(await walk(storage, {}, oldest)).toEqual(ids)
  })

  test('walks back through the existing events while others are appended', async (storage) => {
    const ids = await appendNumbered(storage, 10)
    const { lastId } = await storage.eventPage({}, newest, 4)
    await appendNumbered(storage, 5)

    expect(await walk(storage, {}, { before: lastId })).toEqual(ids.slice(0, 6).reverse())
  })
}

function describeScopes({ test, expect }: StorageSuite): void {
  test('returns only the events of the project', async (storage) => {
    await appendMixed(storage)
    const data = async (scope: EventScope, cursor: EventCursor) =>
      eventsOf(await storage.eventPage(scope, cursor, 10)).map((event) => event.data)

    expect(await data({ projects: ['shop'] }, newest)).toEqual(['c', 'a'])
    expect(await data({ projects: ['shop'] }, oldest)).toEqual(['a', 'c'])
    expect(await data({ projects: ['blog'] }, newest)).toEqual(['b'])
    expect(await data({ projects: ['SHOP'] }, newest)).toEqual([])
    expect(await data({ projects: ['%'] }, newest)).toEqual([])
    expect(await data({ projects: ['null'] }, newest)).toEqual([])
    expect(await data({}, newest)).toEqual(['d', 'c', 'b', 'a'])
  })

  test('returns nothing for an unknown project, whatever its name', async (storage) => {
    await appendMixed(storage)

    for (const project of ['a', '__proto__', 'x'.repeat(5_000), '漢'.repeat(2_000), oddText]) {
      const { count } = await storage.eventPage({ projects: [project] }, newest, 10)
      expect({ count, head: await storage.eventHead({ projects: [project] }) }).toEqual({
        count: 0,
        head: { lastId: 0, total: 0, fingerprint: '' },
      })
    }
  })

  test('walks through the events of a project among those of others', async (storage) => {
    const projects = ['shop', 'blog', 'shop', null, 'shop', 'shopping']
    for (let round = 0; round < 5; round += 1) {
      await storage.appendEvents(projects.map((project, index) => sampleEvent(index, project)))
    }
    const ids = (await allEvents(storage)).filter(({ project }) => project === 'shop').map(({ id }) => id)

    expect(ids.length).toBe(15)
    expect(await walk(storage, { projects: ['shop'] }, newest)).toEqual([...ids].reverse())
    expect(await walk(storage, { projects: ['shop'] }, oldest)).toEqual(ids)
  })
}

function describeBytes({ test, expect }: StorageSuite): void {
  test('returns the text as it was given, with the id in front, separated by a comma and a line feed', async (storage) => {
    const texts = ['{"b":1,"a":1.0,"b":2}', `{"t":${JSON.stringify(oddText)}}`, '{"t":"\\u00e9\\/\\ud83d\\ude00"}']
    await storage.appendEvents(texts.map((json) => ({ ...sampleEvent(''), json })))
    const ids = (await allEvents(storage)).map(({ id }) => id)

    const { count, lastId, json } = await storage.eventPage({}, oldest, 10)
    expect(textOf(json)).toBe(texts.map((text, index) => `{"id":${ids[index]},${text.slice(1)}`).join(',\n'))
    expect([count, lastId]).toEqual([3, ids[2]])
  })

  test('returns long pages of long events completely', async (storage) => {
    const data = Array.from({ length: 300 }, (_, index) => `${index} ${'👩‍🚀語é"\\'.repeat(10 + ((index * 37) % 120))}`)
    await storage.appendEvents(data.map((text) => sampleEvent(text)))

    const page = await storage.eventPage({}, oldest, 1_000)
    expect(page.count).toBe(300)
    expect(eventsOf(page).map((event) => event.data)).toEqual(data)
  })

  test('gives each of 20 concurrent readers its own page', async (storage) => {
    const ids = await appendNumbered(storage, 20)
    const pages = await together(20, (index) => storage.eventPage({}, { after: (ids[index] ?? 0) - 1 }, 1))

    expect(pages.map(({ lastId }) => lastId)).toEqual(ids)
    expect(pages.map((page) => eventsOf(page).map(({ data }) => data))).toEqual(ids.map((_, index) => [index]))
  })
}

async function appendMixed(storage: Storage): Promise<void> {
  await storage.appendEvents([
    sampleEvent('a', 'shop'),
    sampleEvent('b', 'blog'),
    sampleEvent('c', 'shop'),
    sampleEvent('d', null),
  ])
}

/** Appends events and returns their ids, oldest first. */
async function appendNumbered(storage: Storage, count: number): Promise<number[]> {
  const before = await storage.eventHead({})
  await storage.appendEvents(Array.from({ length: count }, (_, index) => sampleEvent(index)))
  return (await allEvents(storage)).map(({ id }) => id).filter((id) => id > before.lastId)
}

async function pageIds(storage: Storage, filter: EventFilter, cursor: EventCursor, limit: number): Promise<number[]> {
  return eventsOf(await storage.eventPage(filter, cursor, limit)).map(({ id }) => id)
}

/** Reads page after page and returns all ids. */
async function walk(storage: Storage, scope: EventScope, start: EventCursor): Promise<number[]> {
  const ids: number[] = []
  let cursor = start
  while (ids.length < 1_000) {
    const page = await storage.eventPage(scope, cursor, 4)
    if (page.count === 0) return ids
    ids.push(...eventsOf(page).map(({ id }) => id))
    cursor = 'after' in start ? { after: page.lastId } : { before: page.lastId }
  }
  throw new Error(
    'eventPage(scope, cursor, limit) never returned an empty page, although each page began after the last id of the previous one.',
  )
}
