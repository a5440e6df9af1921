import type { EventFilter } from '../../../ports/storage/events'
import { eventsOf, oddText, textOf } from '../../samples'
import type { StorageSuite } from '../suite'
import { appended, type EventFacts, event, found, newest, oldest, paged } from './samples'

/** Each event differs from the first in one column, the last in all. */
const logged: readonly EventFacts[] = [
  { project: 'shop', featureName: 'checkout', environment: 'live', createdByUserId: 7, groupType: 'g', groupId: 'G1' },
  {
    ...{ project: 'blog', featureName: 'checkout', environment: 'live', createdByUserId: 7 },
    ...{ groupType: 'g', groupId: 'G1', changeRequestId: 12 },
  },
  {
    ...{ project: 'shop', featureName: 'basket', environment: 'live', createdByUserId: 7 },
    ...{ groupType: 'g', groupId: 'G1', changeRequestId: 13 },
  },
  { project: 'shop', featureName: 'checkout', environment: 'test', createdByUserId: 7, groupType: 'g', groupId: 'G1' },
  {
    project: 'shop',
    featureName: 'checkout',
    environment: 'live',
    createdByUserId: -42,
    groupType: 'g',
    groupId: 'G1',
  },
  { project: 'shop', featureName: 'checkout', environment: 'live', createdByUserId: 7, groupType: 'g', groupId: 'G2' },
  { type: 'feature-archived' },
]

const alone: readonly (readonly [string, EventFilter, readonly number[]])[] = [
  ['projects', { projects: ['blog'] }, [1]],
  ['features', { features: ['basket'] }, [2]],
  ['types', { types: ['feature-archived'] }, [6]],
  ['environments', { environments: ['test'] }, [3]],
  ['createdBy', { createdBy: [-42] }, [4]],
  ['groupIds', { groupIds: ['G2'] }, [5]],
  ['changeRequestIds', { changeRequestIds: [12] }, [1]],
  ['several change requests', { changeRequestIds: [12, 13, 14] }, [2, 1]],
  ['several projects', { projects: ['blog', 'shop', 'none', 'blog'] }, [5, 4, 3, 2, 1, 0]],
  ['several features', { features: ['basket', 'checkout', 'none'] }, [5, 4, 3, 2, 1, 0]],
  ['several types', { types: ['feature-archived', 'feature-updated'] }, [6, 5, 4, 3, 2, 1, 0]],
  ['several environments', { environments: ['test', 'none'] }, [3]],
  ['several users', { createdBy: [-42, 7, 8] }, [5, 4, 3, 2, 1, 0]],
  ['several groups', { groupIds: ['G1', 'G2'] }, [5, 4, 3, 2, 1, 0]],
  ['project and feature', { projects: ['shop'], features: ['basket'] }, [2]],
  ['project and environment', { projects: ['shop', 'blog'], environments: ['test'] }, [3]],
  ['all filters', { projects: ['shop'], features: ['checkout'], createdBy: [7], groupIds: ['G2'] }, [5]],
  ['what excludes each other', { projects: ['blog'], environments: ['test'] }, []],
]

export function describeEventFilters(suite: StorageSuite): void {
  suite.describe('eventPage(filter, cursor, limit) with a filter', () => {
    describeColumns(suite)
    describeTimes(suite)
    describeNames(suite)
    describeGroups(suite)
  })
}

function describeColumns({ test, expect }: StorageSuite): void {
  test('returns the events that match every part of the filter and any item of a list', async (storage) => {
    const ids = await appended(storage, logged.map(event))
    for (const [name, filter, expected] of alone) {
      expect([name, await found(storage, ids, filter)]).toEqual([name, expected])
    }
  })

  test('returns the events of the ids', async (storage) => {
    const ids = await appended(storage, logged.map(event))
    const [, second = 0, third = 0, fourth = 0] = ids

    expect(await found(storage, ids, { ids: [third] })).toEqual([2])
    expect(await found(storage, ids, { ids: [second, fourth, second] })).toEqual([3, 1])
    expect(await found(storage, ids, { ids: [second, third], projects: ['shop'] })).toEqual([2])
    const absent = [0, -1, (ids.at(-1) ?? 0) + 1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]
    expect(await found(storage, ids, { ids: absent })).toEqual([])
  })

  test('returns nothing for an empty list, whatever the rest of the filter', async (storage) => {
    const ids = await appended(storage, logged.map(event))
    const empty: readonly EventFilter[] = [
      { projects: [] },
      { features: [] },
      { ids: [] },
      { types: [] },
      { environments: [] },
      { createdBy: [] },
      { groupIds: [] },
      { changeRequestIds: [] },
      { history: { features: [], subjects: [] } },
    ]
    expect(ids.length).toBe(logged.length)
    for (const filter of empty) {
      expect([filter, await found(storage, ids, filter)]).toEqual([filter, []])
      expect([filter, await found(storage, ids, { projects: ['shop'], ...filter })]).toEqual([filter, []])
    }
  })

  test('continues from cursors in both directions, up to the limit', async (storage) => {
    const ids = await appended(storage, [...logged, ...logged].map(event))
    const [a, , , d, , , , h, , , k] = ids
    const filter = { environments: ['test'], projects: ['shop'] }

    expect(await paged(storage, filter, newest, 1)).toEqual({ ids: [k], count: 1, searched: 1, lastId: k })
    expect(await paged(storage, filter, { before: k ?? 0 }, 5)).toEqual({ ids: [d], count: 1, searched: 1, lastId: d })
    expect(await paged(storage, filter, oldest, 1)).toEqual({ ids: [d], count: 1, searched: 1, lastId: d })
    expect(await paged(storage, filter, { after: d ?? 0 }, 5)).toEqual({ ids: [k], count: 1, searched: 1, lastId: k })
    expect(await paged(storage, filter, { after: a ?? 0 }, 5)).toEqual({
      ids: [d, k],
      count: 2,
      searched: 2,
      lastId: k,
    })
    expect(await paged(storage, filter, { before: d ?? 0 }, 5)).toEqual({ ids: [], count: 0, searched: 0, lastId: 0 })
    expect(await paged(storage, filter, { before: h ?? 0 }, 0)).toEqual({ ids: [], count: 0, searched: 0, lastId: 0 })
  })
}

function describeTimes({ test, expect }: StorageSuite): void {
  test('includes the first and the last day, UTC', async (storage) => {
    const times = [
      '2026-02-28T23:59:59.999Z',
      '2026-03-01T00:00:00.000Z',
      '2026-03-02T23:59:59.999Z',
      '2026-03-03T00:00:00.000Z',
    ]
    const ids = await appended(
      storage,
      times.map((createdAt) => event({ createdAt })),
    )

    expect(await found(storage, ids, { from: '2026-03-01' })).toEqual([3, 2, 1])
    expect(await found(storage, ids, { to: '2026-03-02' })).toEqual([2, 1, 0])
    expect(await found(storage, ids, { from: '2026-03-01', to: '2026-03-02' })).toEqual([2, 1])
    expect(await found(storage, ids, { from: '2026-03-02', to: '2026-03-02' })).toEqual([2])
    expect(await found(storage, ids, { from: '2026-03-02', to: '2026-03-01' })).toEqual([])
    expect(await found(storage, ids, { from: '2026-03-04' })).toEqual([])
    expect(await found(storage, ids, { to: '2026-02-27' })).toEqual([])
  })

  test('starts with the first instant and ends before the last one, within days and across them', async (storage) => {
    const times = [
      ...['2026-03-01T07:59:59.999Z', '2026-03-01T08:00:00.000Z', '2026-03-02T12:00:00.000Z'],
      ...['2026-03-03T07:59:59.999Z', '2026-03-03T08:00:00.000Z', '2026-03-01T23:00:00.000Z'],
    ]
    const ids = await appended(
      storage,
      times.map((createdAt) => event({ createdAt })),
    )
    const [from, to] = ['2026-03-01T08:00:00.000Z', '2026-03-03T08:00:00.000Z']
    const [midnight, endOfFirst] = ['2026-03-02T00:00:00.000Z', '2026-03-01T23:30:00.000Z']

    expect(await found(storage, ids, { from })).toEqual([5, 4, 3, 2, 1])
    expect(await found(storage, ids, { to })).toEqual([5, 3, 2, 1, 0])
    expect(await found(storage, ids, { from, to })).toEqual([5, 3, 2, 1])
    expect(await found(storage, ids, { from, to, projects: ['none'] })).toEqual([])
    expect(await found(storage, ids, { from, to: endOfFirst })).toEqual([5, 1])
    expect(await found(storage, ids, { from: endOfFirst, to: endOfFirst })).toEqual([])
    expect(await found(storage, ids, { from: midnight, to })).toEqual([3, 2])
    expect(await found(storage, ids, { from, to: midnight })).toEqual([5, 1])
    expect(await found(storage, ids, { from, to: '2026-03-02' })).toEqual([5, 2, 1])
    expect(await found(storage, ids, { from: to, to: from })).toEqual([])
    expect(await found(storage, ids, { from: to, to: '2026-03-02' })).toEqual([])
    expect((await paged(storage, { from, to }, newest, 2)).ids).toEqual([ids[5], ids[3]])
    const search = { filter: { from, to }, offset: 1, limit: 2, grouped: false, maxCounted: 100 }
    const { page, total, isExact } = await storage.searchEvents(search)
    expect([page.count, total, isExact]).toEqual([2, 4, true])
  })

  test('filters by days only, in whatever order events were written', async (storage) => {
    const days = [5, 1, 4, 2, 3].map((day) => event({ createdAt: `2026-03-0${day}T12:00:00.000Z` }))
    const ids = await appended(storage, days)

    expect(await found(storage, ids, { from: '2026-03-03' })).toEqual([4, 2, 0])
    expect(await found(storage, ids, { to: '2026-03-02' })).toEqual([3, 1])
    expect(await paged(storage, { from: '2026-03-02', to: '2026-03-04' }, newest, 2)).toEqual({
      ids: [ids[4], ids[3]],
      count: 2,
      searched: 2,
      lastId: ids[3],
    })
  })

  test('accepts the first and the last possible day', async (storage) => {
    const ids = await appended(storage, [event()])

    expect(await found(storage, ids, { from: '0001-01-01', to: '9999-12-31' })).toEqual([0])
    expect(await found(storage, ids, { from: '9999-12-31' })).toEqual([])
    expect(await found(storage, ids, { to: '0001-01-01' })).toEqual([])
    expect(await found(storage, ids, { from: '0001-01-01T00:00:00.000Z', to: '9999-12-31T23:59:59.999Z' })).toEqual([0])
    expect(await found(storage, ids, { from: '9999-12-31T00:00:00.001Z' })).toEqual([])
    expect(await found(storage, ids, { to: '0001-01-01T00:00:00.000Z' })).toEqual([])
  })
}

function describeNames({ test, expect }: StorageSuite): void {
  test('compares names exactly: no pattern, no list, no other case', async (storage) => {
    const odd = ['', '%', '_', 'a,b', '{a,b}', '"a"', "'a'", '\\', 'NULL', '漢字', oddText, '__proto__', 'shop']
    const names = odd.map((name) => event({ project: name, featureName: name, environment: name, groupId: name }))
    const ids = await appended(storage, [...names, event()])

    for (const [at, name] of odd.entries()) {
      // An empty project is a mistake of the host app. Stores may treat it as no project.
      if (name !== '') expect([name, await found(storage, ids, { projects: [name] })]).toEqual([name, [at]])
      for (const filter of [{ features: [name] }, { environments: [name] }, { groupIds: [name] }]) {
        expect([filter, await found(storage, ids, filter)]).toEqual([filter, [at]])
        const [[field = '', list = []] = []] = Object.entries(filter)
        const two = { [field]: [...list, 'none'] }
        expect([two, await found(storage, ids, two)]).toEqual([two, [at]])
      }
    }
    for (const filter of [{ projects: ['Shop'] }, { types: ['Feature-updated'] }, { types: ['feature-%'] }]) {
      expect([filter, await found(storage, ids, filter)]).toEqual([filter, []])
    }
  })
}

function describeGroups({ test, expect }: StorageSuite): void {
  test('adds the groups of events after the id, on request', async (storage) => {
    const row = event({ data: { groupId: 'inside' } })
    const ids = await appended(storage, [
      { ...row, groupType: 'transaction', groupId: oddText },
      { ...row, groupType: null, groupId: 'G"1' },
      { ...row, groupType: 'change-request', groupId: null },
      row,
    ])
    const heads = [
      { groupType: 'transaction', groupId: oddText },
      { groupId: 'G"1' },
      { groupType: 'change-request' },
      {},
    ]
    const texts = heads.map(
      (head, at) => `${JSON.stringify({ id: ids[at], ...head }).slice(0, -1)},${row.json.slice(1)}`,
    )

    for (const filter of [{}, { types: ['feature-updated'] }, { text: 'inside' }]) {
      const page = await storage.eventPage(filter, oldest, 10, true)
      expect([filter, textOf(page.json)]).toEqual([filter, texts.join(',\n')])
      const plain = await storage.eventPage(filter, oldest, 10)
      expect(textOf(plain.json).split(',\n')[0]).toBe(`{"id":${ids[0]},${row.json.slice(1)}`)
      expect(eventsOf(plain).flatMap(Object.keys).includes('groupType')).toBe(false)
    }
  })
}
