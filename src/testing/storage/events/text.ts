import type { StorageSuite } from '../suite'
import { appended, type EventFacts, event, found, newest, oldest, paged } from './samples'

const inData = (text: string): EventFacts => ({ data: { text } })

export function describeEventText({ describe, test, expect }: StorageSuite): void {
  describe('eventPage({ query }, cursor, limit)', () => {
    test('finds a text in data, preData and tags, and nowhere else', async (storage) => {
      const ids = await appended(storage, [
        event(inData('needle')),
        event({ preData: { deep: [{ needle: 1 }] } }),
        event({ tags: [{ type: 'needle', value: 'x' }] }),
        event({ data: 'a needle', preData: { other: 1 } }),
        event({ createdBy: 'needle', label: 'needle', summary: 'needle' }),
        event({ featureName: 'needle', project: 'needle', environment: 'needle', groupId: 'needle', type: 'needle' }),
        event({ createdBy: 'needle', data: { text: 'hay' }, tags: [{ type: 'ha', value: 'hay' }] }),
      ])

      expect(await found(storage, ids, { query: 'needle' })).toEqual([3, 2, 1, 0])
      expect(await found(storage, ids, { query: 'hay' })).toEqual([6])
      expect(await found(storage, ids, { query: 'absent' })).toEqual([])
    })

    test('finds it in an event that lacks data, preData or tags', async (storage) => {
      const row = event()
      const texts = [
        '{"data":{"a":"needle"}}',
        '{"tags":null,"preData":{"a":"needle"}}',
        '{"tags":["needle"]}',
        '{"a":1}',
      ]
      const ids = await appended(
        storage,
        texts.map((json) => ({ ...row, json })),
      )

      expect(await found(storage, ids, { query: 'needle' })).toEqual([2, 1, 0])
      expect(await found(storage, ids, { query: 'null' })).toEqual([])
    })

    test('ignores the case of A to Z, and of no other letters', async (storage) => {
      const ids = await appended(
        storage,
        ['Rollout Q', 'ROLLOUT q', 'Äpfel', 'äpfel', 'straße', '\u212a'].map(inData).map(event),
      )

      expect(await found(storage, ids, { query: 'rOLLOUT' })).toEqual([1, 0])
      expect(await found(storage, ids, { query: 'OUT Q' })).toEqual([1, 0])
      expect(await found(storage, ids, { query: 'Ä' })).toEqual([2])
      expect(await found(storage, ids, { query: 'äPFEL' })).toEqual([3])
      expect(await found(storage, ids, { query: 'strasse' })).toEqual([])
      expect(await found(storage, ids, { query: 'k' })).toEqual([])
    })

    test('matches every character literally', async (storage) => {
      const texts = ['100%', 'a_b', 'axb', '$1', "it's", '漢字 👩‍🚀', '(a|b)*', '{a,b}', '?', 'x::text']
      const ids = await appended(storage, texts.map(inData).map(event))
      for (const [at, query] of texts.entries())
        expect([query, await found(storage, ids, { query })]).toEqual([query, [at]])

      for (const query of ['%', '1%0', 'a%b', '_b']) {
        expect([query, (await found(storage, ids, { query })).length]).toEqual([
          query,
          query === '%' || query === '_b' ? 1 : 0,
        ])
      }
      expect(await found(storage, ids, { query: '\n' })).toEqual([])
    })

    test('searches the JSON text, with its quotes and escapes', async (storage) => {
      const ids = await appended(storage, [
        event(inData('say "hi"')),
        event(inData('back\\slash')),
        event(inData('two\nlines')),
        event({ data: { enabled: true, weights: [1, 2.5] } }),
        event({ tags: [{ type: 'simple', value: 'team' }] }),
      ])

      expect(await found(storage, ids, { query: 'say \\"hi\\"' })).toEqual([0])
      expect(await found(storage, ids, { query: 'back\\\\slash' })).toEqual([1])
      expect(await found(storage, ids, { query: 'two\\nlines' })).toEqual([2])
      expect(await found(storage, ids, { query: '"enabled":true' })).toEqual([3])
      expect(await found(storage, ids, { query: '[1,2.5]' })).toEqual([3])
      expect(await found(storage, ids, { query: '{"type":"simple","value":"team"}' })).toEqual([4])
      expect(await found(storage, ids, { query: 'enabled: true' })).toEqual([])
    })

    test('examines at most the limit, and returns the position even without a match', async (storage) => {
      const texts = ['hay', 'needle', 'hay', 'hay', 'needle', 'hay']
      const [a, b, , d, e, f] = await appended(storage, texts.map(inData).map(event))
      const query = 'needle'

      expect(await paged(storage, { query }, newest, 3)).toEqual({ ids: [e], count: 1, searched: 3, lastId: d })
      expect(await paged(storage, { query }, { before: d ?? 0 }, 3)).toEqual({
        ids: [b],
        count: 1,
        searched: 3,
        lastId: a,
      })
      expect(await paged(storage, { query }, oldest, 1)).toEqual({ ids: [], count: 0, searched: 1, lastId: a })
      expect(await paged(storage, { query }, { after: a ?? 0 }, 3)).toEqual({
        ids: [b],
        count: 1,
        searched: 3,
        lastId: d,
      })
      expect(await paged(storage, { query }, { after: e ?? 0 }, 3)).toEqual({
        ids: [],
        count: 0,
        searched: 1,
        lastId: f,
      })
      expect(await paged(storage, { query }, { before: a ?? 0 }, 3)).toEqual({
        ids: [],
        count: 0,
        searched: 0,
        lastId: 0,
      })
      expect(await paged(storage, { query: 'absent' }, newest, 100)).toEqual({
        ids: [],
        count: 0,
        searched: 6,
        lastId: a,
      })
    })

    test('examines only events that match the rest of the filter', async (storage) => {
      const rows = ['shop', 'blog', 'shop', 'blog', 'shop'].map((project) => event({ project, ...inData('needle') }))
      const [a, , c, , e] = await appended(storage, rows)
      const filter = { query: 'NEEDLE', projects: ['shop'] }

      expect(await paged(storage, filter, newest, 2)).toEqual({ ids: [e, c], count: 2, searched: 2, lastId: c })
      expect(await paged(storage, filter, { before: c ?? 0 }, 2)).toEqual({
        ids: [a],
        count: 1,
        searched: 1,
        lastId: a,
      })
    })
  })
}
