import { creation, findOpen, key, type Sample, sampleChangeRequest, stored, update } from '../../samples'
import { type StorageSuite, together } from '../suite'

export function describeOpen({ describe, test, expect }: StorageSuite): void {
  describe('loadProposal(key, changeIds)', () => {
    test('returns no change request when none is open', async (storage) => {
      expect(await findOpen(storage, key)).toBe(undefined)
    })

    test('sees a commit that returned before the call', async (storage) => {
      const first = await stored(storage)
      expect(await findOpen(storage, key)).toEqual(first)

      await storage.commit(update(first, { title: 'A title' }))
      expect(await findOpen(storage, key)).toEqual({
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

        expect(await findOpen(storage, key)).toBe(undefined)
      })

      test(`does not mistake it for the one of ${whose}`, async (storage) => {
        const mine = await stored(storage)
        const theirs = await stored(storage, other)

        expect(await findOpen(storage, key)).toEqual(mine)
        expect(await findOpen(storage, { ...key, ...other })).toEqual(theirs)
      })
    }

    test('does not return one that is no longer open', async (storage) => {
      const first = await stored(storage)
      await storage.commit({ ...update(first, { state: 'Applied' }), open: false })

      expect(await findOpen(storage, key)).toBe(undefined)
    })

    test('returns the open one among those that are not', async (storage) => {
      for (const id of await storage.nextIds('changeRequest', 3)) {
        await storage.commit({ ...creation(sampleChangeRequest({ id, state: 'Rejected' })), open: false })
      }
      const open = await stored(storage)

      expect(await findOpen(storage, key)).toEqual(open)
    })

    test('compares names exactly: case, patterns, blanks and separators matter', async (storage) => {
      const names = ['a', 'A', '%', 'a ', 'a_', 'a:b', 'ä', 'a\u0308', "a'", 'a"']
      for (const project of names) await stored(storage, { project, environment: `${project}.` })

      for (const project of names) {
        const found = await findOpen(storage, { ...key, project, environment: `${project}.` })
        expect(found?.changeRequest.project).toBe(project)
      }
    })

    test('returns the settings of the environment, including those set just before the call', async (storage) => {
      expect((await storage.loadProposal(key, 1)).settings).toBe(undefined)
      const { project, environment } = key
      const place = { project, environment }
      const settings = { changeRequestsEnabled: false, requiredApprovals: 3 }
      await storage.commitSettings({ ...place, settings, expectedVersion: 0, events: [] })

      const { settings: loaded } = await storage.loadProposal(key, 1)
      expect(loaded).toEqual({ environment, settings, version: 1 })
      expect((await storage.loadProposal({ ...key, project: 'blog' }, 1)).settings).toBe(undefined)
      expect((await storage.loadProposal({ ...key, environment: 'development' }, 1)).settings).toBe(undefined)
    })

    test('returns as many ids for changes as requested, ascending and greater than all previous ones', async (storage) => {
      const [before = 0] = await storage.nextIds('change', 1)
      const { changeIds } = await storage.loadProposal(key, 5)
      const [after = 0] = await storage.nextIds('change', 1)

      const all = [before, ...changeIds, after]
      expect(changeIds.length).toBe(5)
      expect(all).toEqual([...new Set(all)].sort((one, other) => one - other))
    })

    test('returns an id for a change request only if none is open', async (storage) => {
      const [before = 0] = await storage.nextIds('changeRequest', 1)
      const { changeRequestId } = await storage.loadProposal(key, 1)
      const [after = 0] = await storage.nextIds('changeRequest', 1)
      expect(before < changeRequestId && changeRequestId < after).toBe(true)

      await stored(storage)
      expect((await storage.loadProposal(key, 1)).changeRequestId).toBe(0)
    })

    test('returns no ids when none are requested', async (storage) => {
      const { changeRequestId, changeIds } = await storage.loadProposal(key, 0)
      expect([changeRequestId, changeIds]).toEqual([0, []])
    })

    test('returns no id twice to 20 concurrent callers', async (storage) => {
      const loaded = await together(20, (userId) => storage.loadProposal({ ...key, userId }, 1 + (userId % 3)))
      const changes = loaded.flatMap(({ changeIds }) => changeIds)

      expect(loaded.map(({ changeIds }) => changeIds.length)).toEqual(loaded.map((_, userId) => 1 + (userId % 3)))
      expect(new Set(changes).size).toBe(changes.length)
      expect(new Set(loaded.map(({ changeRequestId }) => changeRequestId)).size).toBe(20)
    })
  })
}
