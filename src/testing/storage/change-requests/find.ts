import { key, stored, storedClosed, update } from '../../samples'
import type { StorageSuite } from '../suite'

const shop = { project: key.project }

export function describeFind({ describe, test, expect }: StorageSuite): void {
  describe('find(scope, id)', () => {
    test('returns the change request of the id with its version, open or not', async (storage) => {
      const open = await stored(storage)
      const closed = await storedClosed(storage, { state: 'Applied' })

      expect(await storage.find(shop, open.changeRequest.id)).toEqual(open)
      expect(await storage.find(shop, closed.changeRequest.id)).toEqual(closed)
    })

    test('sees a commit that returned before the call', async (storage) => {
      const first = await stored(storage)
      await storage.commit({ ...update(first, { title: 'new' }), version: 7 })

      const changeRequest = { ...first.changeRequest, title: 'new' }
      expect(await storage.find(shop, changeRequest.id)).toEqual({ version: 7, changeRequest })
    })

    test('returns undefined for an unknown id', async (storage) => {
      const { changeRequest } = await stored(storage)

      expect(await storage.find(shop, changeRequest.id + 1)).toBe(undefined)
      expect(await storage.find(shop, Number.MAX_SAFE_INTEGER)).toBe(undefined)
    })

    test('returns the change request of any project when the scope names none', async (storage) => {
      const open = await stored(storage)

      expect(await storage.find({}, open.changeRequest.id)).toEqual(open)
      expect(await storage.find({}, open.changeRequest.id + 1)).toBe(undefined)
    })

    test('returns undefined for the id of another project', async (storage) => {
      const { changeRequest } = await stored(storage, { project: 'blog' })

      expect(await storage.find(shop, changeRequest.id)).toBe(undefined)
      expect(await storage.find({ project: 'BLOG' }, changeRequest.id)).toBe(undefined)
    })
  })
}
