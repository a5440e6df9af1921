import { listedIds, stored, update } from '../../samples'
import type { StorageSuite } from '../suite'

export function describeSubjects({ describe, test, expect }: StorageSuite): void {
  describe('commit(write) with subjects', () => {
    test('replaces all subjects of the change request', async (storage) => {
      const first = await stored(storage, { state: 'In review' }, { subjects: ['feature:a', 'feature:b', 'feature:a'] })
      const { id } = first.changeRequest
      const found = async () => [
        await listedIds(storage, { subjects: ['feature:a'] }),
        await listedIds(storage, { subjects: ['feature:b'] }),
        await listedIds(storage, { subjects: ['segment:3'] }),
      ]
      expect(await found()).toEqual([[id], [id], []])

      await storage.commit({ ...update(first), subjects: ['feature:b', 'segment:3'] })
      expect(await found()).toEqual([[], [id], [id]])

      await storage.commit(update({ ...first, version: 2 }))
      expect(await found()).toEqual([[], [], []])
    })

    test('finds by afterReview what needs acknowledgement, until a write changes that', async (storage) => {
      const waiting = await stored(storage, { state: 'Applied' }, { open: false, afterReview: true })
      const applied = await stored(storage, { state: 'Applied' }, { open: false })
      const found = async () => [
        await listedIds(storage, { afterReview: true }),
        await storage.countByState({ afterReview: true, viewer: null }),
      ]
      expect(await found()).toEqual([[waiting.changeRequest.id], { Applied: 1 }])
      expect(await listedIds(storage, { afterReview: true, projects: ['elsewhere'] })).toEqual([])

      await storage.commit({ ...update(applied), open: false, afterReview: true })
      await storage.commit({ ...update(waiting), open: false })
      expect(await found()).toEqual([[applied.changeRequest.id], { Applied: 1 }])
    })

    test('leaves them as they were when it returns false', async (storage) => {
      const first = await stored(storage, { state: 'In review' }, { subjects: ['feature:a'] })
      const late = { ...update({ ...first, version: 7 }), subjects: ['feature:b'] }

      expect(await storage.commit(late)).toBe(false)
      expect(await listedIds(storage, { subjects: ['feature:a'] })).toEqual([first.changeRequest.id])
      expect(await listedIds(storage, { subjects: ['feature:b'] })).toEqual([])
    })
  })
}
