import type { ChangeRequestGroup, GroupFilter } from '../../../ports/storage/change-requests'
import type { Storage } from '../../../ports/storage/storage'
import { creation, freshId, key, listedBefore, type Sample, sampleChangeRequest, update } from '../../samples'
import type { StorageSuite } from '../suite'

type Scope = ChangeRequestGroup['scope']
type Fields = readonly [project: string, environment: string, scope: Scope, state: string, own: boolean, has: boolean]

const viewer = 7

/** Stores a change request that is not open, so its author may have any number of them. */
async function store(
  storage: Storage,
  sample: Sample,
  scope: Scope = 'environment',
  reviewedBy: readonly number[] = [],
) {
  const changeRequest = sampleChangeRequest({ id: await freshId(storage), state: 'In review', userId: 1, ...sample })
  const first = creation(changeRequest)
  await storage.commit({ ...first, summary: { ...first.summary, scope, reviewedBy }, open: false })
  return { version: 1, changeRequest }
}

export function describeGroups({ describe, test, expect }: StorageSuite): void {
  describe('countGroups(filter)', () => {
    const counted = async (storage: Storage, filter: Partial<GroupFilter>) => {
      const groups = await storage.countGroups({ viewer: null, ...filter })
      const rows = groups.map(({ project, environment, scope, state, own, reviewed, count }) => {
        const fields: Fields = [project, environment, scope, state, own, reviewed]
        return [fields.join(), count] as const
      })
      return Object.fromEntries(rows.filter(([, count]) => count > 0))
    }

    test('counts by place, scope, state, author and approval what `list` returns for the same filter', async (storage) => {
      await store(storage, {})
      await store(storage, {})
      await store(storage, {}, 'environment', [8, 7])
      await store(storage, { userId: 7 })
      await store(storage, { userId: 7 }, 'environment', [viewer])
      await store(storage, {}, 'project', [77])
      await store(storage, { environment: 'staging' })
      await store(storage, { state: 'Approved' }, 'environment', [viewer])
      await store(storage, { state: 'Draft' })
      await store(storage, { state: 'Draft', userId: 7 })
      await store(storage, { project: 'bank' })
      await store(storage, { state: 'Applied', project: 'bank' })
      const inReview = {
        'shop,production,environment,In review,false,false': 2,
        'shop,production,environment,In review,false,true': 1,
        'shop,production,environment,In review,true,false': 1,
        'shop,production,environment,In review,true,true': 1,
        'shop,production,project,In review,false,false': 1,
        'shop,staging,environment,In review,false,false': 1,
      }
      const approved = { 'shop,production,environment,Approved,false,true': 1 }
      const draft = { 'shop,production,environment,Draft,true,false': 1 }
      const bank = { 'bank,production,environment,In review,false,false': 1 }
      const applied = { 'bank,production,environment,Applied,false,false': 1 }
      const projects = ['shop']

      expect(await counted(storage, { projects, states: ['In review'], viewer })).toEqual(inReview)
      expect(await counted(storage, { projects, states: ['In review', 'Approved'], viewer })).toEqual({
        ...inReview,
        ...approved,
      })
      expect(await counted(storage, { viewer })).toEqual({ ...inReview, ...approved, ...draft, ...bank, ...applied })
      expect(await counted(storage, { projects, states: ['Draft'] })).toEqual({})
      expect(await counted(storage, { projects: ['shop', 'bank'], states: ['Applied'], viewer })).toEqual(applied)
      expect(await counted(storage, { states: [] })).toEqual({})
      expect(await counted(storage, { projects: [] })).toEqual({})
    })

    test('finds no author and no approval without a viewer', async (storage) => {
      await store(storage, { userId: 7 }, 'environment', [viewer])
      await store(storage, {})

      expect(await counted(storage, {})).toEqual({ 'shop,production,environment,In review,false,false': 2 })
    })

    test('counts what was committed last', async (storage) => {
      const first = await store(storage, {}, 'project', [viewer])
      const filter = { projects: [key.project], viewer }
      expect(await counted(storage, filter)).toEqual({ 'shop,production,project,In review,false,true': 1 })

      const scoped = update(first)
      const summary = { ...scoped.summary, scope: 'environment', reviewedBy: [viewer] } as const
      await storage.commit({
        ...scoped,
        before: { ...listedBefore(first.changeRequest), reviewedBy: [viewer] },
        summary,
        open: false,
      })
      expect(await counted(storage, filter)).toEqual({ 'shop,production,environment,In review,false,true': 1 })

      const approved = update({ ...first, version: 2 }, { state: 'Approved' })
      const before = { ...listedBefore(first.changeRequest), scope: 'environment', reviewedBy: [viewer] } as const
      await storage.commit({ ...approved, before, summary: { ...approved.summary, scope: 'environment' }, open: false })
      expect(await counted(storage, filter)).toEqual({ 'shop,production,environment,Approved,false,false': 1 })

      const removal = update({ ...first, version: 3 }, { state: 'Approved' })
      const last = { ...listedBefore(approved.changeRequest), scope: 'environment' } as const
      await storage.commit({ ...removal, before: last, removed: true })
      expect(await counted(storage, filter)).toEqual({})
    })
  })
}
