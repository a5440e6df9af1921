import type { Storage } from '../../../ports/storage/storage'
import { freshId, stored, update } from '../../samples'
import type { StorageSuite } from '../suite'
import { appended, event, found, newest, oldest, paged } from './samples'

const checkout = { features: ['checkout'], subjects: ['feature:checkout'] }

export function describeEventHistory({ describe, test, expect }: StorageSuite): void {
  describe('eventPage({ history }, cursor, limit)', () => {
    test('returns the events of the flag and those of the change requests that touch it', async (storage) => {
      const [about, other] = [
        await touching(storage, ['feature:checkout', 'feature:a']),
        await touching(storage, ['feature:a']),
      ]
      const ids = await appended(storage, [
        event({ featureName: 'checkout' }),
        event({ featureName: 'a' }),
        event({ type: 'change-request-created', changeRequestId: about }),
        event({ type: 'change-request-created', changeRequestId: other }),
        event({ type: 'change-added', featureName: 'a', changeRequestId: about }),
        event({ type: 'change-added', featureName: 'checkout', changeRequestId: about }),
        event({ type: 'change-request-approved', changeRequestId: about, project: 'blog' }),
      ])

      expect(await found(storage, ids, { history: checkout })).toEqual([6, 5, 4, 2, 0])
      expect(await found(storage, ids, { history: checkout, projects: ['blog'] })).toEqual([6])
      expect(await found(storage, ids, { history: checkout, types: ['change-added'] })).toEqual([5, 4])
      expect(await found(storage, ids, { history: { features: [], subjects: ['feature:a'] } })).toEqual([6, 5, 4, 3, 2])
      expect(await found(storage, ids, { history: { features: ['checkout'], subjects: [] } })).toEqual([5, 0])
    })

    test('returns an event once, however often it matches', async (storage) => {
      const about = await touching(storage, ['feature:checkout', 'feature:a', 'segment:1'])
      const ids = await appended(storage, [
        event({ type: 'change-added', featureName: 'checkout', changeRequestId: about }),
        event({ type: 'change-added', changeRequestId: about }),
      ])
      const all = { features: ['checkout', 'a'], subjects: ['feature:checkout', 'feature:a', 'segment:1', 'segment:1'] }

      expect(await found(storage, ids, { history: all })).toEqual([1, 0])
    })

    test('uses the subjects that the change request has now', async (storage) => {
      const first = await stored(storage, {}, { subjects: ['feature:checkout'] })
      const { id: changeRequestId } = first.changeRequest
      const ids = await appended(storage, [event({ type: 'change-added', changeRequestId })])
      const seen = async () => [
        await found(storage, ids, { history: checkout }),
        await found(storage, ids, { history: { features: ['a'], subjects: ['feature:a'] } }),
      ]
      expect(await seen()).toEqual([[0], []])

      await storage.commit({ ...update(first), subjects: ['feature:a'] })
      expect(await seen()).toEqual([[], [0]])

      await storage.commit({ ...update({ ...first, version: 2 }), removed: true })
      expect(await seen()).toEqual([[], []])
    })

    test('continues from cursors in both directions, up to the limit', async (storage) => {
      const changeRequestId = await touching(storage, ['feature:checkout'])
      const rows = [event({ featureName: 'checkout' }), event(), event({ type: 'change-added', changeRequestId })]
      const [a, , c, d, , f] = await appended(storage, [...rows, ...rows])
      const filter = { history: checkout }

      expect(await paged(storage, filter, newest, 3)).toEqual({ ids: [f, d, c], count: 3, searched: 3, lastId: c })
      expect(await paged(storage, filter, { before: c ?? 0 }, 3)).toEqual({
        ids: [a],
        count: 1,
        searched: 1,
        lastId: a,
      })
      expect(await paged(storage, filter, oldest, 3)).toEqual({ ids: [a, c, d], count: 3, searched: 3, lastId: d })
      expect(await paged(storage, filter, { after: d ?? 0 }, 3)).toEqual({ ids: [f], count: 1, searched: 1, lastId: f })
    })
  })
}

/** Stores a change request with these subjects and returns its id. */
async function touching(storage: Storage, subjects: readonly string[]): Promise<number> {
  const id = await freshId(storage)
  await stored(storage, { id, state: 'Approved' }, { open: false, subjects })
  return id
}
