import type { CommittedProposal, Write } from '../../../ports/storage/change-requests'
import type { StoredSettings } from '../../../ports/storage/settings'
import type { Storage } from '../../../ports/storage/storage'
import { allData, creation, findOpen, freshId, key, sampleChangeRequest, sampleEvent, update } from '../../samples'
import type { StorageSuite } from '../suite'

/** Preparing the next proposal is optional. A storage that ignores `nextChangeIds` passes these tests. */
export function describeProposals({ describe, test, expect }: StorageSuite): void {
  describe('commit(write) with nextChangeIds, if the storage supports it', () => {
    test('returns the stored document and ids for the next proposal', async (storage) => {
      const write = { ...(await newWrite(storage)), nextChangeIds: 2 }
      const before = await storage.nextIds('change', 1)
      const committed = await storage.commit(write)

      expect(await findOpen(storage, key)).toEqual({ version: 1, changeRequest: write.changeRequest })
      expect(await allData(storage)).toEqual(['created'])
      if (committed === true) return
      const { document, changeIds, areAllocated } = committed as CommittedProposal
      expect(JSON.parse(document)).toEqual(write.changeRequest)
      const later = await storage.nextIds('change', 2)
      const ids = [...before, ...changeIds, ...(areAllocated ? later : [])]
      expect(changeIds.length).toBe(2)
      expect(new Set(ids).size).toBe(ids.length)
      expect([...ids].sort((one, other) => one - other)).toEqual(ids)
      if (!areAllocated) expect(changeIds).toEqual(later)
    })

    test('allocates the ids of the next proposal, if they are not allocated yet', async (storage) => {
      const remembered = await remember(storage)
      if (remembered === undefined) return
      const committed = await storage.commit(next(remembered, 'again'))
      const { changeIds } = committed as CommittedProposal
      const [id = 0] = await storage.nextIds('change', 1)

      expect(changeIds.length).toBe(1)
      expect(Math.min(...changeIds, id) > Math.max(...remembered.changeIds)).toBe(true)
    })

    test('returns false, writes nothing and leaves no gap if its ids were not allocated and are taken', async (storage) => {
      const remembered = await remember(storage)
      if (remembered === undefined || remembered.areAllocated) return
      const [taken = 0] = await storage.nextIds('change', 1)

      expect(remembered.changeIds).toEqual([taken])
      expect(await storage.commit(next(remembered, 'late'))).toBe(false)
      expect(await allData(storage)).toEqual(['created'])
      expect(await storage.nextIds('change', 1)).toEqual([taken + 1])
    })

    test('leaves no gap if it loses, and its ids were not allocated', async (storage) => {
      for (const [, alter] of outdating) {
        const remembered = await remember(storage)
        if (remembered === undefined || remembered.areAllocated) return
        await alter(storage, remembered)

        expect(await storage.commit(next(remembered, 'late'))).toBe(false)
        expect(await storage.nextIds('change', 1)).toEqual(remembered.changeIds)
        const stored = await findOpen(storage, key)
        if (stored !== undefined) await storage.commit({ ...update(stored), removed: true, subjects: [] })
      }
    })

    test('writes again what it returned, without a read', async (storage) => {
      const remembered = await remember(storage)
      if (remembered === undefined) return
      const committed = await storage.commit(next(remembered, 'again'))

      expect(typeof committed).toBe('object')
      expect((await findOpen(storage, key))?.changeRequest.title).toBe('again')
      expect(await allData(storage)).toEqual(['created', 'again'])
    })

    for (const [why, alter] of outdating) {
      test(`returns false and writes nothing ${why}`, async (storage) => {
        const remembered = await remember(storage)
        if (remembered === undefined) return
        await alter(storage, remembered)
        const [open, data] = [await findOpen(storage, key), await allData(storage)]

        expect(await storage.commit(next(remembered, 'late'))).toBe(false)
        expect(await findOpen(storage, key)).toEqual(open)
        expect(await allData(storage)).toEqual(data)
      })
    }

    test('returns false and writes nothing if another document is stored with the same version', async (storage) => {
      const remembered = await remember(storage)
      if (remembered === undefined) return
      const document = remembered.document.replace('"Draft"', '"draft"')

      expect(await storage.commit(next({ ...remembered, document }, 'late'))).toBe(false)
      expect((await findOpen(storage, key))?.version).toBe(1)
      expect(await allData(storage)).toEqual(['created'])
    })

    for (const [why, isSet] of [
      ['settings were set', false],
      ['settings were changed', true],
    ] as const) {
      test(`returns false and writes nothing after ${why} in its environment`, async (storage) => {
        const set = (expectedVersion: number, requiredApprovals: number) => {
          const settings = { changeRequestsEnabled: true, requiredApprovals }
          return storage.commitSettings({ ...place, settings, expectedVersion, events: [] })
        }
        if (isSet) await set(0, 1)
        const remembered = await remember(storage)
        if (remembered === undefined) return
        await set(isSet ? 1 : 0, 2)

        expect(await storage.commit(next(remembered, 'late'))).toBe(false)
        expect(await allData(storage)).toEqual(['created'])
        const { settings } = await storage.loadProposal(key, 0)
        expect(typeof (await storage.commit(next({ ...remembered, settings }, 'on time')))).toBe('object')
      })
    }
  })
}

const place = { project: key.project, environment: key.environment }

interface Remembered extends CommittedProposal {
  readonly write: Write
  readonly settings: StoredSettings | undefined
}

const outdating: readonly (readonly [string, (storage: Storage, remembered: Remembered) => Promise<unknown>])[] = [
  [
    'if another write came first',
    (storage, { write }) => storage.commit(update(write, { title: 'other' }, [sampleEvent('other')])),
  ],
  [
    'if the change request was removed',
    (storage, { write }) => storage.commit({ ...update(write), removed: true, subjects: [] }),
  ],
]

async function newWrite(storage: Storage): Promise<Write> {
  return creation(sampleChangeRequest({ id: await freshId(storage) }), [sampleEvent('created')])
}

/** Undefined if the storage ignores `nextChangeIds`. */
async function remember(storage: Storage): Promise<Remembered | undefined> {
  const write = await newWrite(storage)
  const { settings } = await storage.loadProposal(key, 0)
  const committed = await storage.commit({ ...write, nextChangeIds: 1 })
  return typeof committed === 'object' ? { ...committed, write, settings } : undefined
}

/** A write that was decided on what the storage returned for the write before it. */
function next({ document, settings, changeIds, write }: Remembered, title: string): Write {
  const stored = { version: write.version, changeRequest: JSON.parse(document) }
  return {
    ...update(stored, { title }, [sampleEvent(title)]),
    nextChangeIds: 1,
    remembered: { document, settings, changeIds },
  }
}
