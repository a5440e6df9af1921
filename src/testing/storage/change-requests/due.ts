import type { DueCursor, DuePage, HoldWrite, StoredChangeRequest } from '../../../ports/storage/change-requests'
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
  suite.describe('hold(write)', () => describeHold(suite))
  suite.describe('hold({ ids, dueAt })', () => describeMoves(suite))
}

function describeOrder({ test, expect }: StorageSuite): void {
  test('returns summaries as they were committed, earliest first, then by id', async (storage) => {
    const late = await scheduledFor(storage, noon)
    const [first, second] = [await scheduledFor(storage, nine), await scheduledFor(storage, nine)]
    await stored(storage, { state: 'Scheduled' }, { open: false })

    expect(await idsOf(storage)).toEqual([first, second, late])
    const changeRequest = (await storage.find({ project: 'shop' }, first))?.changeRequest
    expect((await storage.due({ limit: 1 }))[0]).toEqual(
      changeRequest && { ...sampleSummary(changeRequest), dueAt: nine },
    )
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
    const after: DueCursor = { dueAt: nine, scheduledAt: nine, id: ids[0] as number }

    expect(await idsOf(storage, { after, limit: 10 })).toEqual(ids.slice(1))
    expect(
      await idsOf(storage, { after: { dueAt: noon, scheduledAt: noon, id: ids[2] as number }, limit: 10 }),
    ).toEqual([])
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

/** A change request that is scheduled for nine. */
async function scheduled(storage: Storage, scheduledAt: string = nine): Promise<StoredChangeRequest> {
  const schedule = { scheduledAt, status: 'pending', reason: null } as const
  const changeRequest = sampleChangeRequest({ id: await freshId(storage), state: 'Scheduled', schedule })
  await storage.commit({ ...creation(changeRequest), open: false, dueAt: scheduledAt })
  return { version: 1, changeRequest }
}

/** The write that holds it until the time; null ends the hold. */
function holdWrite({ version, changeRequest }: StoredChangeRequest, dueAt: string | null) {
  const summary = sampleSummary(changeRequest)
  const held = { by: 'Sale', until: noon }
  return {
    changeRequest: { ...changeRequest, title: dueAt === null ? 'free' : 'held' },
    summary: dueAt === null ? summary : { ...summary, held },
    version,
    dueAt,
  } satisfies HoldWrite
}

function describeHold({ test, expect }: StorageSuite): void {
  test('replaces the change request, its summary and its time, at the same version and without an event', async (storage) => {
    const found = await scheduled(storage)
    const { lastId } = await storage.eventHead({})
    const write = holdWrite(found, noon)
    await storage.hold(write)

    expect(await storage.find({ project: 'shop' }, found.changeRequest.id)).toEqual({
      version: 1,
      changeRequest: write.changeRequest,
    })
    expect(await storage.due({ limit: 10 })).toEqual([{ ...write.summary, dueAt: noon }])
    expect((await storage.eventHead({})).lastId).toBe(lastId)
  })

  test('is counted as held only, until it ends; then its time stays', async (storage) => {
    const found = await scheduled(storage)
    await scheduled(storage, ten)
    await storage.hold(holdWrite(found, noon))
    expect(await storage.dueTimes(noon)).toEqual({ due: 1, first: ten, next: null, held: 1 })
    expect(await storage.dueTimes(nine)).toEqual({ due: 0, first: null, next: ten, held: 1 })

    await storage.hold(holdWrite(found, null))
    expect((await storage.due({ limit: 10 })).map(({ dueAt }) => dueAt)).toEqual([ten, noon])
    expect(await storage.dueTimes(noon)).toEqual({ due: 2, first: ten, next: null, held: 0 })
  })

  test('does nothing for another version', async (storage) => {
    const found = await scheduled(storage)
    await storage.hold(holdWrite({ ...found, version: 7 }, noon))

    expect(await idsOf(storage, { before: nine, limit: 10 })).toEqual([found.changeRequest.id])
    expect(await storage.find({ project: 'shop' }, found.changeRequest.id)).toEqual(found)
  })

  test('does not make a commit lose, which ends the hold', async (storage) => {
    const found = await scheduled(storage)
    await storage.hold(holdWrite(found, noon))
    expect(await storage.commit({ ...update(found), open: false, dueAt: null })).toBe(true)

    expect(await storage.dueTimes(noon)).toEqual({ due: 0, first: null, next: null, held: 0 })
  })
}

function describeMoves({ test, expect }: StorageSuite): void {
  test('sets the time of those that are held, in the order of their schedules', async (storage) => {
    const [late, early] = [await scheduled(storage, ten), await scheduled(storage, nine)]
    const other = await scheduled(storage, nine)
    const [first, second] = [late.changeRequest.id, early.changeRequest.id]
    for (const one of [late, early]) await storage.hold(holdWrite(one, ten))
    await storage.hold({ ids: [first, second, other.changeRequest.id], dueAt: noon })

    const found = await storage.due({ limit: 10 })
    expect(found.map(({ id, dueAt }) => [id, dueAt])).toEqual([
      [other.changeRequest.id, nine],
      [second, noon],
      [first, noon],
    ])
    const after: DueCursor = { dueAt: noon, scheduledAt: nine, id: second }
    expect(await idsOf(storage, { after, limit: 10 })).toEqual([first])
  })

  test('accepts an empty list', async (storage) => {
    const { changeRequest } = await scheduled(storage)
    await storage.hold({ ids: [], dueAt: noon })

    expect(await idsOf(storage, { before: nine, limit: 10 })).toEqual([changeRequest.id])
  })
}

function describeTimes({ test, expect }: StorageSuite): void {
  test('counts what is due, and returns its first time and the next one', async (storage) => {
    for (const dueAt of [ten, nine, noon]) await scheduledFor(storage, dueAt)

    expect(await storage.dueTimes('2026-05-01T08:59:59.999Z')).toEqual({ due: 0, first: null, next: nine, held: 0 })
    expect(await storage.dueTimes(ten)).toEqual({ due: 2, first: nine, next: noon, held: 0 })
    expect(await storage.dueTimes(noon)).toEqual({ due: 3, first: nine, next: null, held: 0 })
  })

  test('returns null times if nothing is scheduled', async (storage) => {
    await stored(storage, { state: 'Scheduled' }, { open: false })

    expect(await storage.dueTimes(noon)).toEqual({ due: 0, first: null, next: null, held: 0 })
  })
}
