import type { ListedById, UpdatedFilter } from '../../../ports/storage/change-requests'
import type { EventRow } from '../../../ports/storage/events'
import type { Storage } from '../../../ports/storage/storage'
import { eventsOf, later, type Sample, sampleEvent, stored, storedClosed, update } from '../../samples'
import type { StorageSuite } from '../suite'

const bytes = 2 ** 30
const all = { after: 0, limit: 1_000, bytes }

const idsOf = ({ items }: ListedById) => items.map(({ changeRequest }) => changeRequest.id)

async function storedId(storage: Storage, sample: Sample = {}): Promise<number> {
  return (await storedClosed(storage, sample)).changeRequest.id
}

function eventOf(changeRequestId: number): EventRow {
  return { ...sampleEvent('of a change request'), changeRequestId }
}

export function describeById(suite: StorageSuite): void {
  suite.describe('listById(filter, page)', () => {
    describeFilter(suite)
    describePage(suite)
    describeLastEvent(suite)
  })
}

function describeFilter({ test, expect }: StorageSuite): void {
  test('returns those that match every part of the filter, by id and without drafts', async (storage) => {
    const a = await storedId(storage, { createdAt: later(2), updatedAt: later(10) })
    const b = await storedId(storage, { createdAt: later(1), updatedAt: later(20), project: 'bank' })
    await stored(storage, { updatedAt: later(10) })
    const c = await storedId(storage, { createdAt: later(0), updatedAt: later(30), state: 'Applied' })
    const rows: readonly (readonly [UpdatedFilter, readonly number[]])[] = [
      [{}, [a, b, c]],
      [{ projects: ['shop'] }, [a, c]],
      [{ projects: ['bank', 'shop'] }, [a, b, c]],
      [{ projects: ['Shop', 'sho', '%'] }, []],
      [{ projects: [] }, []],
      [{ updatedFrom: later(20) }, [b, c]],
      [{ updatedFrom: later(21) }, [c]],
      [{ updatedBefore: later(20) }, [a]],
      [{ updatedBefore: later(21) }, [a, b]],
      [{ updatedFrom: later(10), updatedBefore: later(30), projects: ['shop'] }, [a]],
      [{ updatedFrom: later(31) }, []],
    ]

    for (const [filter, ids] of rows) {
      expect({ filter, ids: idsOf(await storage.listById(filter, all)) }).toEqual({ filter, ids })
    }
  })

  test('follows every write of updatedAt, and ignores one that lost', async (storage) => {
    const first = await storedClosed(storage, { updatedAt: later(1) })
    const { id } = first.changeRequest
    const found = async () => idsOf(await storage.listById({ updatedFrom: later(5) }, all))
    const lost = update({ ...first, version: 7 }, { updatedAt: later(9) })
    expect([await storage.commit({ ...lost, open: false }), await found()]).toEqual([false, []])

    await storage.commit({ ...update(first, { updatedAt: later(5) }), open: false })
    expect(await found()).toEqual([id])

    const second = { ...first, version: 2 }
    await storage.commit({ ...update(second, { updatedAt: later(6), state: 'Applied' }), open: false })
    expect(await found()).toEqual([id])
    expect(idsOf(await storage.listById({ updatedBefore: later(6) }, all))).toEqual([])
  })

  test('returns each complete, as it was last committed', async (storage) => {
    const first = await storedClosed(storage, { title: 'first' })
    await storage.commit({ ...update(first, { title: 'second', updatedAt: later(1) }), open: false })

    const changeRequest = { ...first.changeRequest, title: 'second', updatedAt: later(1) }
    const items = [{ version: 2, changeRequest, lastEventId: 0 }]
    expect(await storage.listById({}, all)).toEqual({ items, next: null })
  })
}

function describePage({ test, expect }: StorageSuite): void {
  test('continues after an id, of any or no change request, and reports that nothing is left', async (storage) => {
    expect(await storage.listById({}, all)).toEqual({ items: [], next: null })
    const ids: number[] = []
    for (let n = 0; n < 4; n += 1) ids.push(await storedId(storage))
    const [a = 0, b, c, d = 0] = ids
    const read = async (after: number, limit: number) => {
      const page = await storage.listById({}, { after, limit, bytes })
      return [...idsOf(page), page.next]
    }

    expect(await read(0, 2)).toEqual([a, b, b])
    expect(await read(a, 2)).toEqual([b, c, c])
    expect(await read(a, 3)).toEqual([b, c, d, null])
    expect(await read(d, 3)).toEqual([null])
    expect(await read(Number.MAX_SAFE_INTEGER, 3)).toEqual([null])
  })

  test('ends before the item that would exceed the bytes, but has at least one', async (storage) => {
    const title = 'ä'.repeat(1_000)
    const [a, b, c] = [await storedId(storage, { title }), await storedId(storage, { title }), await storedId(storage)]
    const size = new TextEncoder().encode(title).length
    const read = async (after: number, maxBytes: number) =>
      idsOf(await storage.listById({}, { after, limit: 10, bytes: maxBytes }))

    expect(await read(0, 1)).toEqual([a])
    expect(await read(0, 2 * size)).toEqual([a])
    expect(await read(a, 2 * size + 4_000)).toEqual([b, c])
  })
}

function describeLastEvent({ test, expect }: StorageSuite): void {
  test('returns the newest event of each, also of those that were appended alone', async (storage) => {
    const first = await storedClosed(storage, {})
    const second = await storedId(storage)
    const { id } = first.changeRequest
    const events = [eventOf(id), eventOf(id), sampleEvent('of none')]
    await storage.commit({ ...update(first, {}, events), open: false })
    const last = async () => (await storage.listById({}, all)).items.map(({ lastEventId }) => lastEventId)
    const [, newest] = eventsOf(await storage.eventPage({}, { after: 0 }, 10))
    expect(await last()).toEqual([newest?.id, 0])

    await storage.appendEvents([eventOf(second)])
    const [appended] = eventsOf(await storage.eventPage({}, { before: Number.MAX_SAFE_INTEGER }, 1))
    expect(await last()).toEqual([newest?.id, appended?.id])
  })
}
