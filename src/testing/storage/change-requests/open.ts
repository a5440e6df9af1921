import { creation, key, type Sample, sampleChangeRequest, stored, update } from '../../samples'
import type { StorageSuite } from '../suite'

export function describeOpen({ describe, test, expect }: StorageSuite): void {
  describe('findOpen(key)', () => {
    test('returns undefined when there is none', async (storage) => {
      expect(await storage.findOpen(key)).toBe(undefined)
    })

    test('sees a commit that returned before the call', async (storage) => {
      const first = await stored(storage)
      expect(await storage.findOpen(key)).toEqual(first)

      await storage.commit(update(first, { title: 'A title' }))
      expect(await storage.findOpen(key)).toEqual({
        version: 2,
        changeRequest: { ...first.changeRequest, title: 'A title' },
      })
    })

    const others: readonly (readonly [string, Sample])[] = [
      ['another project', { project: 'blog' }],
      ['another environment', { environment: 'development' }],
      ['another user', { userId: 8 }],
    ]
    for (const [whose, other] of others) {
      test(`does not return the one of ${whose}`, async (storage) => {
        await stored(storage, other)

        expect(await storage.findOpen(key)).toBe(undefined)
      })

      test(`does not mistake it for the one of ${whose}`, async (storage) => {
        const mine = await stored(storage)
        const theirs = await stored(storage, other)

        expect(await storage.findOpen(key)).toEqual(mine)
        expect(await storage.findOpen({ ...key, ...other })).toEqual(theirs)
      })
    }

    test('does not return one that is no longer open', async (storage) => {
      const first = await stored(storage)
      await storage.commit({ ...update(first, { state: 'Applied' }), open: false })

      expect(await storage.findOpen(key)).toBe(undefined)
    })

    test('returns the open one among those that are not', async (storage) => {
      for (const id of await storage.nextIds('changeRequest', 3)) {
        await storage.commit({ ...creation(sampleChangeRequest({ id, state: 'Rejected' })), open: false })
      }
      const open = await stored(storage)

      expect(await storage.findOpen(key)).toEqual(open)
    })

    test('compares names exactly: case, patterns, blanks and separators matter', async (storage) => {
      const names = ['a', 'A', '%', 'a ', 'a_', 'a:b', 'ä', 'a\u0308', "a'", 'a"']
      for (const project of names) await stored(storage, { project, environment: `${project}.` })

      for (const project of names) {
        const found = await storage.findOpen({ ...key, project, environment: `${project}.` })
        expect(found?.changeRequest.project).toBe(project)
      }
    })
  })
}
