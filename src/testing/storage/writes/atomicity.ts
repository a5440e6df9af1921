import {
  allData,
  allEvents,
  brokenEvent,
  creation,
  findOpen,
  freshId,
  key,
  sampleChangeRequest,
  sampleEvent,
  stored,
  update,
} from '../../samples'
import { rejects, type StorageSuite, together } from '../suite'

const half = [sampleEvent('good'), brokenEvent, sampleEvent('good')]

export function describeAtomicity({ describe, test, expect }: StorageSuite): void {
  describe('commit(write) with an event that cannot be stored', () => {
    test('is rejected and leaves neither change request nor event', async (storage) => {
      const write = creation(sampleChangeRequest({ id: await freshId(storage) }), half)

      expect(await rejects(storage.commit(write))).toBe(true)
      expect(await findOpen(storage, key)).toBe(undefined)
      expect(await allEvents(storage)).toEqual([])
      expect(await storage.eventHead({})).toEqual({ lastId: 0, total: 0, fingerprint: '' })
    })

    test('is rejected with an error, and leaves the change request as it was', async (storage) => {
      const first = await stored(storage)

      const error = await storage.commit(update(first, { title: 'new' }, half)).catch((reason: unknown) => reason)
      expect(typeof (error as Error | undefined)?.message).toBe('string')
      expect(await findOpen(storage, key)).toEqual(first)
      expect(await allEvents(storage)).toEqual([])
    })

    test('leaves its key and its version unused for the next write', async (storage) => {
      const changeRequest = sampleChangeRequest({ id: await freshId(storage) })
      await rejects(storage.commit(creation(changeRequest, half)))

      expect(await storage.commit(creation(changeRequest, [sampleEvent('next')]))).toBe(true)
      expect(await allData(storage)).toEqual(['next'])
    })

    test('does not fail concurrent writes', async (storage) => {
      const ids = await storage.nextIds('changeRequest', 9)
      const answers = await together(9, (index) => {
        const changeRequest = sampleChangeRequest({ id: ids[index] ?? 0, userId: index + 1 })
        const write = creation(changeRequest, index === 4 ? half : [sampleEvent(index)])
        return storage.commit(write).catch(() => 'rejected')
      })

      expect(answers).toEqual([true, true, true, true, 'rejected', true, true, true, true])
      const found = await together(9, (index) => findOpen(storage, { ...key, userId: index + 1 }))
      expect(found.map((open) => open?.changeRequest.id)).toEqual(
        ids.map((id, index) => (index === 4 ? undefined : id)),
      )
      expect([...(await allData(storage))].sort()).toEqual([0, 1, 2, 3, 5, 6, 7, 8])
      expect((await storage.eventHead({})).total).toBe(8)
    })
  })

  describe('appendEvents(events)', () => {
    test('appends them in the order given', async (storage) => {
      await storage.appendEvents([sampleEvent('a'), sampleEvent('b', null), sampleEvent('c', 'blog')])
      await storage.appendEvents([sampleEvent('d')])

      expect(await allData(storage)).toEqual(['a', 'b', 'c', 'd'])
    })

    test('appends nothing when one of them cannot be stored', async (storage) => {
      expect(await rejects(storage.appendEvents(half))).toBe(true)
      expect(await allEvents(storage)).toEqual([])
      expect(await storage.eventHead({})).toEqual({ lastId: 0, total: 0, fingerprint: '' })
    })

    test('does not fail concurrent appends', async (storage) => {
      const answers = await together(9, (index) =>
        storage.appendEvents(index === 4 ? half : [sampleEvent(index)]).then(
          () => 'appended',
          () => 'rejected',
        ),
      )

      expect(answers.filter((answer) => answer === 'appended').length).toBe(8)
      expect([...(await allData(storage))].sort()).toEqual([0, 1, 2, 3, 5, 6, 7, 8])
    })

    test('accepts an empty list', async (storage) => {
      await storage.appendEvents([])

      expect(await storage.eventHead({})).toEqual({ lastId: 0, total: 0, fingerprint: '' })
    })
  })
}
