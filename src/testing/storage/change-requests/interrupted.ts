import type { InterruptedApply, InterruptedPage } from '../../../ports/storage/change-requests'
import type { Storage } from '../../../ports/storage/storage'
import { creation, freshId, sampleChangeRequest, stored, update } from '../../samples'
import type { StorageSuite } from '../suite'

const [nine, ten, noon] = ['2026-05-01T09:00:00.000Z', '2026-05-01T10:00:00.001Z', '2026-05-01T12:00:00.000Z'] as const

/** Stores a change request whose apply attempt began at the time. */
async function applyStartedAt(storage: Storage, applyingSince: string, project = 'shop'): Promise<InterruptedApply> {
  const { changeRequest } = await stored(storage, { state: 'Approved', project }, { open: false, applyingSince })
  return { project, id: changeRequest.id, applyingSince }
}

const attempts = (storage: Storage, before: string = noon, page: InterruptedPage = { limit: 10 }) =>
  storage.interrupted(before, page)

export function describeInterrupted(suite: StorageSuite): void {
  suite.describe('interrupted(before, page)', () => {
    describeOrder(suite)
    describeWrites(suite)
  })
}

function describeOrder({ test, expect }: StorageSuite): void {
  test('returns apply attempts of all projects, earliest first, then by id', async (storage) => {
    const late = await applyStartedAt(storage, noon)
    const [first, second] = [await applyStartedAt(storage, nine), await applyStartedAt(storage, nine, 'blog')]
    await stored(storage, { state: 'Approved' }, { open: false })

    expect(await attempts(storage)).toEqual([first, second, late])
  })

  test('returns items up to and including the time, at most the limit', async (storage) => {
    const all = [
      await applyStartedAt(storage, nine),
      await applyStartedAt(storage, ten),
      await applyStartedAt(storage, noon),
    ]

    expect(await attempts(storage, ten)).toEqual(all.slice(0, 2))
    expect(await attempts(storage, '2026-05-01T10:00:00.000Z')).toEqual(all.slice(0, 1))
    expect(await attempts(storage, '2026-05-01T08:59:59.999Z')).toEqual([])
    expect(await attempts(storage, noon, { limit: 2 })).toEqual(all.slice(0, 2))
  })

  test('continues after the last item of the previous page', async (storage) => {
    const all = [
      await applyStartedAt(storage, nine),
      await applyStartedAt(storage, nine),
      await applyStartedAt(storage, noon),
    ]

    expect(await attempts(storage, noon, { after: all[0] as InterruptedApply, limit: 10 })).toEqual(all.slice(1))
    expect(await attempts(storage, noon, { after: all[2] as InterruptedApply, limit: 10 })).toEqual([])
    expect(await attempts(storage, ten, { after: all[0] as InterruptedApply, limit: 10 })).toEqual(all.slice(1, 2))
  })
}

function describeWrites({ test, expect }: StorageSuite): void {
  test('follows every write: another attempt, none, removal', async (storage) => {
    const first = await stored(storage, {}, { open: false, applyingSince: noon })
    const second = await stored(storage, {}, { open: false, applyingSince: ten })
    const idsOf = async () => (await attempts(storage)).map(({ id }) => id)
    await storage.commit({ ...update(first), open: false, applyingSince: nine })
    expect(await idsOf()).toEqual([first.changeRequest.id, second.changeRequest.id])

    await storage.commit({ ...update({ ...first, version: 2 }), open: false, applyingSince: null })
    expect(await idsOf()).toEqual([second.changeRequest.id])

    await storage.commit({ ...update(second), open: false, applyingSince: ten, removed: true })
    expect(await idsOf()).toEqual([])
  })

  test('ignores a write that lost', async (storage) => {
    const first = await stored(storage, {}, { open: false })
    const late = { ...update({ ...first, version: 7 }), open: false, applyingSince: nine }
    expect(await storage.commit(late)).toBe(false)

    expect(await attempts(storage)).toEqual([])
  })

  test('ignores a write whose transaction was rolled back, if there are transactions', async (storage) => {
    const id = await freshId(storage)
    const write = { ...creation(sampleChangeRequest({ id, state: 'Approved' })), open: false, applyingSince: nine }
    const work = async (_: unknown, inside: Pick<Storage, 'commit'>) => {
      await inside.commit(write)
      throw new Error('rolled back')
    }
    await storage.transaction?.(work).catch(() => undefined)

    expect(await attempts(storage)).toEqual([])
  })
}
