import { isVisible, type State } from '../../../domain/lifecycle'
import { states } from '../../../generated/lists'
import type { ChangeRequestFilter } from '../../../ports/storage/change-requests'
import type { Storage } from '../../../ports/storage/storage'
import {
  creation,
  freshId,
  later,
  listedIds,
  type Sample,
  sampleChangeRequest,
  stored,
  storedClosed,
  update,
  wholeList,
} from '../../samples'
import type { StorageSuite } from '../suite'
import { describeGroups } from './groups'
import { describeReviews } from './reviews'

export function describeLists(suite: StorageSuite): void {
  suite.describe('list(filter, page)', () => {
    describeOrder(suite)
    describeFilters(suite)
    describeDrafts(suite)
  })
  suite.describe('countByState(filter)', () => describeCounts(suite))
  describeGroups(suite)
  describeReviews(suite)
  suite.describe('projects()', () => describeProjects(suite))
}

async function storedId(storage: Storage, sample: Sample, subjects: readonly string[] = []): Promise<number> {
  return (await storedClosed(storage, sample, subjects)).changeRequest.id
}

function describeOrder({ test, expect }: StorageSuite): void {
  test('returns the newest first: by createdAt, then by id, both descending', async (storage) => {
    const ids: number[] = []
    for (const ms of [2, 1, 2, 0, 3]) ids.push(await storedId(storage, { createdAt: later(ms) }))
    const [a, b, c, d, e] = ids

    expect(await listedIds(storage)).toEqual([e, c, a, b, d])
    expect(await listedIds(storage, { projects: ['shop'] })).toEqual([e, c, a, b, d])
  })

  test('returns each complete, as it was last committed', async (storage) => {
    const first = await storedClosed(storage, { title: 'first' })
    await storage.commit({ ...update(first, { title: 'second' }), open: false })

    const changeRequest = { ...first.changeRequest, title: 'second' }
    expect(await storage.list({ viewer: null }, wholeList)).toEqual({
      items: [{ version: 2, changeRequest }],
      next: null,
    })
  })
}

function describeFilters({ test, expect }: StorageSuite): void {
  test('returns those that match every part of the filter, and nothing when a list of it is empty', async (storage) => {
    const both = ['feature:checkout', 'segment:4']
    const a = await storedId(storage, { userId: 1 }, both)
    const b = await storedId(storage, { userId: 2 }, both)
    const c = await storedId(storage, { userId: 1, project: 'bank' }, both)
    const d = await storedId(storage, { userId: 1, state: 'Applied' }, both)
    const e = await storedId(storage, { userId: 1, environment: 'staging' }, ['feature:cart'])
    const rows: readonly (readonly [Partial<ChangeRequestFilter>, readonly number[]])[] = [
      [{}, [e, d, c, b, a]],
      [{ projects: ['shop'] }, [e, d, b, a]],
      [{ projects: ['bank', 'shop'] }, [e, d, c, b, a]],
      [{ projects: ['Shop', 'sho', 'shopping', '%'] }, []],
      [{ projects: [] }, []],
      [{ states: ['Applied', 'Rejected'] }, [d]],
      [{ states: [] }, []],
      [{ createdBy: 1 }, [e, d, c, a]],
      [{ subjects: ['segment:4'] }, [d, c, b, a]],
      [{ subjects: ['feature:check'] }, []],
      [{ subjects: ['feature:cart', 'segment:4', 'feature:checkout', 'segment:5'] }, [e, d, c, b, a]],
      [{ subjects: ['feature:cart', 'feature:none'] }, [e]],
      [{ subjects: [] }, []],
      [{ subjects: ['segment:4'], projects: ['shop'], states: ['Approved'], createdBy: 1 }, [a]],
    ]

    for (const [filter, ids] of rows) {
      expect({ filter, ids: await listedIds(storage, filter) }).toEqual({ filter, ids })
    }
  })
}

function describeDrafts({ test, expect }: StorageSuite): void {
  test('returns drafts only to the viewer who created them, also when the filter names drafts', async (storage) => {
    const mine = await storedId(storage, { userId: 1, state: 'Draft' })
    await storedId(storage, { userId: 2, state: 'Draft' })
    const theirs = await storedId(storage, { userId: 3, state: 'In review' })

    expect(await listedIds(storage, { viewer: 1 })).toEqual([theirs, mine])
    expect(await listedIds(storage, { viewer: 3 })).toEqual([theirs])
    expect(await listedIds(storage, { viewer: null })).toEqual([theirs])
    expect(await listedIds(storage, { viewer: 1, states: ['Draft'] })).toEqual([mine])
    expect(await listedIds(storage, { viewer: 1, createdBy: 2 })).toEqual([])
  })

  test('returns in every state what the viewer can see', async (storage) => {
    const samples = states.flatMap((state) => [1, 2].map((userId) => ({ state, userId })))
    const ids: number[] = []
    for (const sample of samples) ids.push(await storedId(storage, sample))

    for (const viewer of [1, 2, 3, null]) {
      const visible = ids.filter((_, index) => {
        const { state, userId } = samples[index] as (typeof samples)[number]
        return isVisible(state, userId, viewer)
      })
      expect({ viewer, ids: await listedIds(storage, { viewer }) }).toEqual({ viewer, ids: visible.toReversed() })
      const counted = Object.values(await storage.countByState({ viewer })).reduce((sum, count) => sum + count, 0)
      expect({ viewer, counted }).toEqual({ viewer, counted: visible.length })
    }
  })
}

function describeCounts({ test, expect }: StorageSuite): void {
  test('counts in each state what `list` returns for the same filter', async (storage) => {
    await storedId(storage, { userId: 1, state: 'Draft' })
    await storedId(storage, { userId: 2, state: 'Draft' })
    await storedId(storage, { state: 'In review' }, ['feature:a'])
    await storedId(storage, { state: 'In review', project: 'bank' })
    await storedId(storage, { state: 'Applied' })
    const counts = async (filter: Partial<ChangeRequestFilter>) => {
      const entries = Object.entries(await storage.countByState({ viewer: null, ...filter }))
      return Object.fromEntries(entries.filter(([, count]) => count > 0))
    }

    expect(await counts({ viewer: 1 })).toEqual({ Draft: 1, 'In review': 2, Applied: 1 })
    expect(await counts({ projects: ['shop'] })).toEqual({ 'In review': 1, Applied: 1 })
    expect(await counts({ subjects: ['feature:a'] })).toEqual({ 'In review': 1 })
    expect(await counts({ projects: [] })).toEqual({})
  })

  test('counts exactly after each write: a new state, a removal, and writes that return false', async (storage) => {
    const counts = async (filter: Partial<ChangeRequestFilter> = {}) => {
      const entries = Object.entries(await storage.countByState({ viewer: 1, ...filter }))
      return Object.fromEntries(entries.filter(([, count]) => count > 0))
    }
    const draft = await stored(storage, { userId: 1 })
    await stored(storage, { userId: 1, state: 'In review', project: 'bank' })
    expect(await counts()).toEqual({ Draft: 1, 'In review': 1 })
    expect(await counts({ createdBy: 1, viewer: 2 })).toEqual({ 'In review': 1 })

    const submitted = update(draft, { state: 'In review' })
    expect(await storage.commit({ ...submitted, open: true })).toBe(true)
    expect(await counts()).toEqual({ 'In review': 2 })
    expect(await storage.commit({ ...submitted, open: true })).toBe(false)
    const second = sampleChangeRequest({ id: await freshId(storage), userId: 1 })
    expect(await storage.commit(creation(second))).toBe(false)
    expect(await counts()).toEqual({ 'In review': 2 })

    const { version, changeRequest } = submitted
    const removal = { ...update({ version, changeRequest }), removed: true }
    expect(await storage.commit({ ...removal, expectedVersion: 1 })).toBe(false)
    expect(await storage.commit(removal)).toBe(true)
    expect(await counts()).toEqual({ 'In review': 1 })
    expect(await counts({ projects: ['shop'] })).toEqual({})
    expect(await counts({ createdBy: 1, states: ['In review'] })).toEqual({ 'In review': 1 })
    expect(await counts({ createdBy: 2 })).toEqual({})
  })

  test('counts exactly after 20 concurrent writes of one version', async (storage) => {
    const first = await stored(storage, { state: 'In review' })
    const states = ['Approved', 'Rejected', 'Cancelled', 'In review'] as const
    const written = await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const write = update(first, { state: states[index % 4] as State })
        return storage.commit({ ...write, removed: index % 5 === 4 })
      }),
    )
    expect(written.filter((won) => won).length).toBe(1)
    const items = (await storage.list({ viewer: null }, wholeList)).items.map(({ changeRequest: { state } }) => state)
    const counted = Object.entries(await storage.countByState({ viewer: null })).filter(([, count]) => count > 0)
    expect(counted).toEqual(items.map((state) => [state, 1]))
  })
}

function describeProjects({ test, expect }: StorageSuite): void {
  test('returns each project that has a change request once, however many it has', async (storage) => {
    expect(await storage.projects()).toEqual([])
    for (const project of ['shop', 'bank', 'shop', 'a', 'A', 'bank', 'shopping']) {
      await storedId(storage, { project, state: 'Draft' })
    }

    expect([...(await storage.projects())].sort()).toEqual(['A', 'a', 'bank', 'shop', 'shopping'])
  })
}
