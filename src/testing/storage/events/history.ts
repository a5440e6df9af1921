import type { Storage } from '../../../ports/storage'
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
        event({ type: 'change-request-created', data: { changeRequestId: about } }),
        event({ type: 'change-request-created', data: { changeRequestId: other } }),
        event({ type: 'change-added', featureName: 'a', data: { changeRequestId: about } }),
        event({ type: 'change-added', featureName: 'checkout', data: { changeRequestId: about } }),
        event({ type: 'change-request-approved', data: { changeRequestId: about }, project: 'blog' }),
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
        event({ type: 'change-added', featureName: 'checkout', data: { changeRequestId: about } }),
        event({ type: 'change-added', data: { changeRequestId: about }, preData: { changeRequestId: about } }),
      ])
      const all = { features: ['checkout', 'a'], subjects: ['feature:checkout', 'feature:a', 'segment:1', 'segment:1'] }

      expect(await found(storage, ids, { history: all })).toEqual([1, 0])
    })

    test('reads the change request id from data, else from preData', async (storage) => {
      const [about, other] = [await touching(storage, ['feature:checkout']), await touching(storage, ['feature:a'])]
      const logged = (data: unknown, preData: unknown) => event({ type: 'change-edited', data, preData })
      const ids = await appended(storage, [
        logged(null, { changeRequestId: about }),
        logged({}, { changeRequestId: about }),
        logged({ changeRequestId: null }, { changeRequestId: about }),
        logged({ changeRequestId: about }, { changeRequestId: other }),
        logged({ changeRequestId: other }, { changeRequestId: about }),
        logged('text', { changeRequestId: about }),
      ])

      expect(await found(storage, ids, { history: checkout })).toEqual([5, 3, 2, 1, 0])
    })

    test('returns only events of types that begin with change-, whatever data the others have', async (storage) => {
      const data = { changeRequestId: await touching(storage, ['feature:checkout']) }
      const types = ['feature-updated', 'changed', 'change-', 'change-added', 'Change-added', 'the-change-added']
      const ids = await appended(storage, [
        ...types.map((type) => event({ type, data })),
        event({ type: 'feature-updated', data, featureName: 'checkout' }),
      ])

      expect(await found(storage, ids, { history: checkout })).toEqual([6, 3, 2])
    })

    test('returns nothing for what is no id of a change request', async (storage) => {
      const about = await touching(storage, ['feature:checkout'])
      const odd = [about + 1_000, -about, `x${about}`, [about], { id: about }, '', 'feature:checkout', '\u0001', 1e300]
      const ids = await appended(
        storage,
        odd.map((changeRequestId) => event({ type: 'change-added', data: { changeRequestId } })),
      )

      expect(await found(storage, ids, { history: checkout })).toEqual([])
      expect(await found(storage, ids, { types: ['change-added'] })).toEqual([...odd.keys()].reverse())
    })

    test('uses the subjects that the change request has now', async (storage) => {
      const first = await stored(storage, {}, { subjects: ['feature:checkout'] })
      const data = { changeRequestId: first.changeRequest.id }
      const ids = await appended(storage, [event({ type: 'change-added', data })])
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
      const data = { changeRequestId: await touching(storage, ['feature:checkout']) }
      const rows = [event({ featureName: 'checkout' }), event(), event({ type: 'change-added', data })]
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

/** A change request that is found by these subjects. */
async function touching(storage: Storage, subjects: readonly string[]): Promise<number> {
  const id = await freshId(storage)
  await stored(storage, { id, state: 'Approved' }, { open: false, subjects })
  return id
}
