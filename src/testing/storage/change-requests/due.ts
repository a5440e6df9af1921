import type { DueCursor, DuePage } from '../../../ports/storage/change-requests'
import type { Storage } from '../../../ports/storage/storage'
import { creation, freshId, sampleChangeRequest, sampleSummary, stored, update } from '../../samples'
import type { StorageSuite } from '../suite'

const [nine, ten, noon] = ['2026-05-01T09:00:00.000Z', '2026-05-01T10:00:00.000Z', '2026-05-01T12:00:00.000Z'] as const

/** Stores a change request that is scheduled for the time, and returns its id. */
async function scheduledFor(storage: Storage, dueAt: string): Promise<number> {
  const { changeRequest } = await stored(storage, { state: 'Scheduled' }, { open: false, dueAt })
  return changeRequest.id
}

async function idsOf(storage: Storage, page: DuePage = { limit: 10 }): Promise<number[]> {
  return (await storage.due(page)).map(({ id }) => id)
}

export function describeDue(suite: StorageSuite): void {
  suite.describe('due(page)', () => {
    describeOrder(suite)
    describeWrites(suite)
  })
  suite.describe('dueTimes(at)', () => describeTimes(suite))
}

function describeOrder({ test, expect }: StorageSuite): void {
  test('returns summaries as they were committed, earliest first, then by id', async (storage) => {
    const late = await scheduledFor(storage, noon)
    const [first, second] = [await scheduledFor(storage, nine), await scheduledFor(storage, nine)]
    await stored(storage, { state: 'Scheduled' }, { open: false })

    expect(await idsOf(storage)).toEqual([first, second, late])
    const changeRequest = (await storage.find({ project: 'shop' }, first))?.changeRequest
    expect((await storage.due({ limit: 1 }))[0]).toEqual(changeRequest && sampleSummary(changeRequest))
  })

  test('returns items up to and including the time, at most the limit', async (storage) => {
    const ids = [await scheduledFor(storage, nine), await scheduledFor(storage, ten), await scheduledFor(storage, noon)]

    expect(await idsOf(storage, { before: ten, limit: 10 })).toEqual(ids.slice(0, 2))
    expect(await idsOf(storage, { before: '2026-05-01T09:59:59.999Z', limit: 10 })).toEqual(ids.slice(0, 1))
    expect(await idsOf(storage, { limit: 2 })).toEqual(ids.slice(0, 2))
  })

  test('continues after the last item of the previous page', async (storage) => {
    const ids = [
      await scheduledFor(storage, nine),
      await scheduledFor(storage, nine),
      await scheduledFor(storage, noon),
    ]
    const after: DueCursor = { dueAt: nine, id: ids[0] as number }

    expect(await idsOf(storage, { after, limit: 10 })).toEqual(ids.slice(1))
    expect(await idsOf(storage, { after: { dueAt: noon, id: ids[2] as number }, limit: 10 })).toEqual([])
  })
}

function describeWrites({ test, expect }: StorageSuite): void {
  test('follows every write: another time, none, removal', async (storage) => {
    const first = await stored(storage, {}, { open: false, dueAt: noon })
    const second = await stored(storage, {}, { open: false, dueAt: ten })
    const { id } = first.changeRequest
    await storage.commit({ ...update(first), open: false, dueAt: nine })
    expect(await idsOf(storage)).toEqual([id, second.changeRequest.id])

    await storage.commit({ ...update({ ...first, version: 2 }), open: false, dueAt: null })
    expect(await idsOf(storage)).toEqual([second.changeRequest.id])

    await storage.commit({ ...update(second), open: false, dueAt: ten, removed: true })
    expect(await idsOf(storage)).toEqual([])
  })

  test('ignores a write that lost', async (storage) => {
    const first = await stored(storage, {}, { open: false })
    expect(await storage.commit({ ...update({ ...first, version: 7 }), open: false, dueAt: nine })).toBe(false)

    expect(await idsOf(storage)).toEqual([])
  })

  test('ignores a write whose transaction was rolled back, if there are transactions', async (storage) => {
    const id = await freshId(storage)
    const write = { ...creation(sampleChangeRequest({ id, state: 'Scheduled' })), open: false, dueAt: nine }
    const work = async (_: unknown, inside: Pick<Storage, 'commit'>) => {
      await inside.commit(write)
      throw new Error('rolled back')
    }
    await storage.transaction?.(work).catch(() => undefined)

    expect(await idsOf(storage)).toEqual([])
  })
}

function describeTimes({ test, expect }: StorageSuite): void {
  test('counts what is due, and returns its first time and the next one', async (storage) => {
    for (const dueAt of [ten, nine, noon]) await scheduledFor(storage, dueAt)

    expect(await storage.dueTimes('2026-05-01T08:59:59.999Z')).toEqual({ due: 0, first: null, next: nine })
    expect(await storage.dueTimes(ten)).toEqual({ due: 2, first: nine, next: noon })
    expect(await storage.dueTimes(noon)).toEqual({ due: 3, first: nine, next: null })
  })

  test('returns null times if nothing is scheduled', async (storage) => {
    await stored(storage, { state: 'Scheduled' }, { open: false })

    expect(await storage.dueTimes(noon)).toEqual({ due: 0, first: null, next: null })
  })
}
