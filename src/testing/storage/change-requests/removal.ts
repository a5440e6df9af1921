import type { StoredChangeRequest, Write } from '../../../ports/storage/change-requests'
import {
  allData,
  findOpen,
  freshId,
  key,
  listedIds,
  sampleChangeRequest,
  sampleEvent,
  stored,
  update,
} from '../../samples'
import { type StorageSuite, together } from '../suite'

function removal(found: StoredChangeRequest): Write {
  return { ...update(found, {}, [sampleEvent('removed')]), removed: true }
}

export function describeRemoval({ describe, test, expect }: StorageSuite): void {
  describe('commit(write) with removed', () => {
    test('removes the change request and its subjects', async (storage) => {
      const first = await stored(storage, {}, { subjects: ['feature:a'] })

      expect(await storage.commit({ ...removal(first), subjects: ['feature:a'] })).toBe(true)
      expect(await storage.find(key, first.changeRequest.id)).toBe(undefined)
      expect(await findOpen(storage, key)).toBe(undefined)
      expect(await listedIds(storage, { viewer: key.userId })).toEqual([])
      expect(await listedIds(storage, { viewer: key.userId, subjects: ['feature:a'] })).toEqual([])
      expect(await storage.countByState({ viewer: key.userId })).toEqual({})
      // Its events stay.
      expect(await storage.projects()).toEqual([key.project])
    })

    test('keeps its events and appends those of the removal', async (storage) => {
      const first = await stored(storage, {}, { events: [sampleEvent('created')] })
      await storage.commit(removal(first))

      expect(await allData(storage)).toEqual(['created', 'removed'])
      expect((await storage.eventHead({})).total).toBe(2)
    })

    test('allows a new open one, and never returns its id again', async (storage) => {
      const first = await stored(storage)
      await storage.commit(removal(first))
      const second = await stored(storage)

      expect(second.changeRequest.id > first.changeRequest.id).toBe(true)
      expect(await findOpen(storage, key)).toEqual(second)
    })

    test('returns false for another version or a missing change request, and writes nothing', async (storage) => {
      const first = await stored(storage)
      const never = { version: 0, changeRequest: sampleChangeRequest({ id: await freshId(storage), userId: 8 }) }

      expect(await storage.commit(removal({ ...first, version: 2 }))).toBe(false)
      expect(await storage.commit(removal(never))).toBe(false)
      expect(await findOpen(storage, key)).toEqual(first)
      expect(await allData(storage)).toEqual([])
    })

    test('wins or loses against 19 writes that race for the same version', async (storage) => {
      const first = await stored(storage)
      const answers = await together(20, (index) =>
        storage.commit(index === 10 ? removal(first) : update(first, { title: `by ${index}` })),
      )
      const left = await findOpen(storage, key)

      expect(answers.filter((answer) => answer).length).toBe(1)
      expect(left?.changeRequest.title).toBe(answers[10] ? undefined : `by ${answers.indexOf(true)}`)
    })
  })
}
