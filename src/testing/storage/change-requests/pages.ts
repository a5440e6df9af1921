import type { ListCursor, ListPage, StoredChangeRequest } from '../../../ports/storage/change-requests'
import type { Storage } from '../../../ports/storage/storage'
import { creation, freshId, later, type Sample, sampleChangeRequest, stored, storedClosed, update } from '../../samples'
import type { StorageSuite } from '../suite'

/** A method that returns pages; `list` and `summaries` share these tests. */
interface Lister {
  readonly method: 'list' | 'summaries'
  read(storage: Storage, page: ListPage): Promise<{ readonly ids: number[]; readonly next: ListCursor | null }>
}

const listers: readonly Lister[] = [
  {
    method: 'list',
    read: async (storage, page) => {
      const { items, next } = await storage.list({ viewer: null }, page)
      return { ids: items.map(({ changeRequest }) => changeRequest.id), next }
    },
  },
  {
    method: 'summaries',
    read: async (storage, page) => {
      const { items, next } = await storage.summaries({ viewer: null }, page)
      return { ids: items.map(({ id }) => id), next }
    },
  },
]

const bytes = 2 ** 30

export function describePages(suite: StorageSuite): void {
  for (const lister of listers) {
    suite.describe(`${lister.method}(filter, page), page after page`, () => {
      describeCursors(suite, lister)
      describeBytes(suite, lister)
    })
  }
  suite.describe('summaries(filter, page)', () => describeSummaries(suite))
}

async function storedIds(storage: Storage, samples: readonly Sample[]): Promise<number[]> {
  const ids: number[] = []
  for (const sample of samples) ids.push((await storedClosed(storage, sample)).changeRequest.id)
  return ids
}

/** Reads all pages and calls `between` after each. */
async function walk(storage: Storage, { read }: Lister, page: ListPage, between = async () => {}): Promise<number[][]> {
  const pages: number[][] = []
  let after: ListCursor | null = null
  do {
    const { ids, next }: Awaited<ReturnType<Lister['read']>> = await read(storage, { ...page, ...(after && { after }) })
    pages.push(ids)
    after = next
    await between()
  } while (after !== null && pages.length < 100)
  return pages
}

function describeCursors({ test, expect }: StorageSuite, lister: Lister): void {
  test('continue after the last item, by createdAt and then by id', async (storage) => {
    const times = [3, 1, 2, 2, 2, 0].map((ms) => ({ createdAt: later(ms) }))
    const [a, b, c, d, e, f] = await storedIds(storage, times)

    expect(await walk(storage, lister, { limit: 2, bytes })).toEqual([
      [a, e],
      [d, c],
      [b, f],
    ])
    expect(await walk(storage, lister, { limit: 4, bytes })).toEqual([
      [a, e, d, c],
      [b, f],
    ])
  })

  test('return no cursor when nothing is left', async (storage) => {
    expect(await lister.read(storage, { limit: 1, bytes })).toEqual({ ids: [], next: null })
    const [a, b] = await storedIds(storage, [{}, {}])

    expect(await lister.read(storage, { limit: 2, bytes })).toEqual({ ids: [b, a], next: null })
    expect((await lister.read(storage, { limit: 1, bytes })).next === null).toBe(false)
  })

  test('skip none and repeat none when others are stored, changed and removed meanwhile', async (storage) => {
    const times = [4, 3, 2, 1, 0].map((ms) => ({ createdAt: later(ms) }))
    const found: StoredChangeRequest[] = []
    for (const sample of times) found.push(await storedClosed(storage, sample))
    const ids = found.map(({ changeRequest }) => changeRequest.id)
    let page = 0
    const between = async () => {
      const last = found[page]
      if (last !== undefined) await storage.commit({ ...update(last), open: false, removed: true })
      const next = found[page + 1]
      if (next !== undefined) {
        await storage.commit({ ...update(next, { title: 'altered' }), open: false })
        found[page + 1] = { version: 2, changeRequest: { ...next.changeRequest, title: 'altered' } }
      }
      await storedClosed(storage, { createdAt: later(100 + page) })
      page += 1
    }

    expect(await walk(storage, lister, { limit: 1, bytes }, between)).toEqual(ids.map((id) => [id]))
  })
}

/** Stored in the document and in the summary: 40,000 bytes in UTF-8, half as many UTF-16 code units. */
const large = { title: '👍'.repeat(10_000) }

function describeBytes({ test, expect }: StorageSuite, lister: Lister): void {
  test('end before the item that would exceed the bytes', async (storage) => {
    const [a, b, c, d, e] = await storedIds(storage, [large, large, {}, large, large])

    expect(await walk(storage, lister, { limit: 10, bytes: 100_000 })).toEqual([
      [e, d, c],
      [b, a],
    ])
    expect(await walk(storage, lister, { limit: 2, bytes: 100_000 })).toEqual([[e, d], [c, b], [a]])
  })

  test('contain an item that is larger than the bytes, alone', async (storage) => {
    const [a, b, c] = await storedIds(storage, [large, {}, large])

    expect(await walk(storage, lister, { limit: 10, bytes: 30_000 })).toEqual([[c], [b], [a]])
    expect(await walk(storage, lister, { limit: 10, bytes: 1 })).toEqual([[c], [b], [a]])
  })
}

function describeSummaries({ test, expect }: StorageSuite): void {
  test('returns each as it was last committed, not derived from the change request', async (storage) => {
    const changeRequest = sampleChangeRequest({ id: await freshId(storage) })
    const write = creation(changeRequest)
    const first = { ...write.summary, features: ['a', 'b'], segments: [{ id: 9, name: 'x' }], reviewedBy: [3] }
    await storage.commit({ ...write, summary: first })
    const read = async () =>
      (await storage.summaries({ viewer: changeRequest.createdBy.id }, { limit: 9, bytes })).items
    expect(await read()).toEqual([first])

    const second = { ...first, features: [], segments: [{ id: 9, name: null }], reviewedBy: [3, 4] }
    await storage.commit({ ...update({ version: 1, changeRequest }), summary: second })
    expect(await read()).toEqual([second])
  })

  test('stores the summary of a write that wins, and none of one that loses', async (storage) => {
    const first = await stored(storage, { state: 'In review' })
    const write = update({ ...first, version: 5 }, { title: 'late' })

    expect(await storage.commit(write)).toBe(false)
    const { items } = await storage.summaries({ viewer: null }, { limit: 9, bytes })
    expect(items.map(({ title }) => title)).toEqual([null])
  })

  test('skips `offset` matching items after the cursor', async (storage) => {
    const projects = ['shop', 'bank', 'shop', 'bank', 'shop', 'shop']
    const ids = await storedIds(
      storage,
      projects.map((project) => ({ project })),
    )
    const [a, , c, , e, f] = ids
    const page = async (offset: number, limit: number, after?: ListCursor) => {
      const filter = { viewer: null, projects: ['shop'] }
      const { items, next } = await storage.summaries(filter, { offset, limit, bytes, ...(after && { after }) })
      return { ids: items.map(({ id }) => id), next }
    }

    expect((await page(1, 2)).ids).toEqual([e, c])
    expect((await page(3, 2)).ids).toEqual([a])
    expect(await page(4, 2)).toEqual({ ids: [], next: null })
    expect(await page(9, 2)).toEqual({ ids: [], next: null })
    const { next } = await page(0, 1)
    expect([(await page(0, 1)).ids, next && (await page(1, 9, next)).ids]).toEqual([[f], [c, a]])
  })
}
