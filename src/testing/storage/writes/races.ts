import {
  allData,
  creation,
  findOpen,
  freshId,
  key,
  type Sample,
  sampleChangeRequest,
  sampleEvent,
  stored,
  update,
} from '../../samples'
import { type StorageSuite, together } from '../suite'

const many = 20

export function describeRaces({ describe, test, expect }: StorageSuite): void {
  describe(`commit(write), ${many} concurrent calls`, () => {
    test('returns true to exactly one of those that race for one version', async (storage) => {
      const first = await stored(storage)
      const answers = await together(many, (index) =>
        storage.commit(update(first, { title: `by ${index}` }, [sampleEvent(index)])),
      )
      const winner = answers.indexOf(true)

      expect(answers.filter((answer) => answer).length).toBe(1)
      expect((await findOpen(storage, key))?.changeRequest.title).toBe(`by ${winner}`)
      expect(await allData(storage)).toEqual([winner])
    })

    test('returns true to exactly one of those that create one change request', async (storage) => {
      const id = await freshId(storage)
      const answers = await together(many, (index) =>
        storage.commit(creation(sampleChangeRequest({ id, title: `by ${index}` }), [sampleEvent(index)])),
      )
      const winner = answers.indexOf(true)

      expect(answers.filter((answer) => answer).length).toBe(1)
      expect((await findOpen(storage, key))?.changeRequest.title).toBe(`by ${winner}`)
      expect(await allData(storage)).toEqual([winner])
    })

    test('returns true to exactly one of those that create an open one for one key', async (storage) => {
      const ids = await storage.nextIds('changeRequest', many)
      const answers = await Promise.all(
        ids.map((id) => storage.commit(creation(sampleChangeRequest({ id }), [sampleEvent(id)]))),
      )
      const winner = ids[answers.indexOf(true)]

      expect(answers.filter((answer) => answer).length).toBe(1)
      expect((await findOpen(storage, key))?.changeRequest.id).toBe(winner)
      expect(await allData(storage)).toEqual([winner])
    })

    test('returns true to all writes for different keys', async (storage) => {
      const samples = Array.from({ length: many }, (_, index) => differentKey(index))
      const ids = await storage.nextIds('changeRequest', many)
      const answers = await together(many, (index) => {
        const changeRequest = sampleChangeRequest({ ...samples[index], id: ids[index] ?? 0 })
        return storage.commit(creation(changeRequest, [sampleEvent(index)]))
      })

      expect(answers).toEqual(answers.map(() => true))
      const found = await together(many, (index) => findOpen(storage, { ...key, ...samples[index] }))
      expect(found.map((open) => open?.changeRequest.id)).toEqual(ids)
      expect(new Set(await allData(storage)).size).toBe(many)
    })

    test('loses no update of writers that reload and retry after a lost race', async (storage) => {
      await stored(storage, { title: '0' })
      await together(many, async () => {
        // Each lost race was won by another writer.
        for (let losses = 0; losses < many; losses += 1) {
          const loaded = await findOpen(storage, key)
          if (loaded === undefined) throw new Error('The open change request is gone.')
          const next = String(Number(loaded.changeRequest.title) + 1)
          if (await storage.commit(update(loaded, { title: next }, [sampleEvent(next)]))) return
        }
        throw new Error('commit(write) returned false without a concurrent write.')
      })

      const last = await findOpen(storage, key)
      expect([last?.version, last?.changeRequest.title]).toEqual([many + 1, String(many)])
      expect(await allData(storage)).toEqual(Array.from({ length: many }, (_, index) => String(index + 1)))
    })
  })
}

/** Returns keys that differ from their neighbours in one part only. */
function differentKey(index: number): Sample {
  return {
    project: `project-${index & 1}`,
    environment: `environment-${(index >> 1) & 1}`,
    userId: 1 + (index >> 2),
  }
}
