import type { ChangeRequestFilter, ChangeRequestGroup } from '../../../ports/storage/change-requests'
import type { Storage } from '../../../ports/storage/storage'
import { creation, freshId, key, type Sample, sampleChangeRequest, update } from '../../samples'
import type { StorageSuite } from '../suite'

type Scope = ChangeRequestGroup['scope']
type Fields = readonly [project: string, environment: string, scope: Scope, state: string, own: boolean, has: boolean]

const subject = 'approved:7'

/** Stores a change request that is not open, so its author may have any number of them. */
async function store(storage: Storage, sample: Sample, scope: Scope = 'environment', subjects: readonly string[] = []) {
  const changeRequest = sampleChangeRequest({ id: await freshId(storage), state: 'In review', userId: 1, ...sample })
  const first = creation(changeRequest)
  await storage.commit({ ...first, summary: { ...first.summary, scope }, open: false, subjects })
  return { version: 1, changeRequest }
}

export function describeGroups({ describe, test, expect }: StorageSuite): void {
  describe('countGroups(filter, subject)', () => {
    const counted = async (storage: Storage, filter: Partial<ChangeRequestFilter>, of: string | null = subject) => {
      const groups = await storage.countGroups({ viewer: null, ...filter }, of)
      const rows = groups.map(({ project, environment, scope, state, own, hasSubject, count }) => {
        const fields: Fields = [project, environment, scope, state, own, hasSubject]
        return [fields.join(), count] as const
      })
      return Object.fromEntries(rows.filter(([, count]) => count > 0))
    }

    test('counts by place, scope, state, author and subject what `list` returns for the same filter', async (storage) => {
      await store(storage, {})
      await store(storage, {})
      await store(storage, {}, 'environment', ['feature:a', subject])
      await store(storage, { userId: 7 })
      await store(storage, { userId: 7 }, 'environment', [subject])
      await store(storage, {}, 'project', ['approved:77'])
      await store(storage, { environment: 'staging' })
      await store(storage, { state: 'Approved' }, 'environment', [subject])
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
      const [projects, viewer] = [['shop'], 7]

      expect(await counted(storage, { projects, states: ['In review'], viewer })).toEqual(inReview)
      expect(await counted(storage, { projects, states: ['In review', 'Approved'], viewer })).toEqual({
        ...inReview,
        ...approved,
      })
      expect(await counted(storage, { viewer })).toEqual({ ...inReview, ...approved, ...draft, ...bank, ...applied })
      expect(await counted(storage, { projects, states: ['Draft'] })).toEqual({})
      expect(await counted(storage, { projects: ['shop', 'bank'], states: ['Applied'], viewer })).toEqual(applied)
      expect(await counted(storage, { subjects: ['feature:a'] })).toEqual({
        'shop,production,environment,In review,false,true': 1,
      })
      expect(await counted(storage, { states: [] })).toEqual({})
      expect(await counted(storage, { projects: [] })).toEqual({})
    })

    test('finds no author without a viewer, and no subject where it is null', async (storage) => {
      await store(storage, { userId: 7 }, 'environment', [subject])
      await store(storage, {})

      expect(await counted(storage, {}, null)).toEqual({ 'shop,production,environment,In review,false,false': 2 })
    })

    test('counts what was committed last', async (storage) => {
      const first = await store(storage, {}, 'project', [subject])
      const filter = { projects: [key.project], viewer: 7 }
      expect(await counted(storage, filter)).toEqual({ 'shop,production,project,In review,false,true': 1 })

      const scoped = update(first)
      const summary = { ...scoped.summary, scope: 'environment' } as const
      await storage.commit({ ...scoped, summary, open: false, subjects: [subject] })
      expect(await counted(storage, filter)).toEqual({ 'shop,production,environment,In review,false,true': 1 })

      const approved = update({ ...first, version: 2 }, { state: 'Approved' })
      await storage.commit({ ...approved, summary: { ...approved.summary, scope: 'environment' }, open: false })
      expect(await counted(storage, filter)).toEqual({ 'shop,production,environment,Approved,false,false': 1 })

      await storage.commit({ ...update({ ...first, version: 3 }), removed: true })
      expect(await counted(storage, filter)).toEqual({})
    })
  })
}
