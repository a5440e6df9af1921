import type { Storage } from '../../src/ports/storage/storage'
import { findOpen } from '../../src/testing/samples'
import { afterNoon, all, changeRequest, event, eventTypes, idsOf, stores, write } from './fixtures'

describe.each(stores)('the change requests of the $name storage', ({ open }) => {
  let storage: Storage
  let close: () => Promise<void>

  beforeEach(async () => {
    ;({ storage, close } = await open())
  })
  afterEach(() => close())

  describe('find', () => {
    it('returns what was written, with its version', async () => {
      await storage.commit(write(changeRequest(7, { title: 'Tür ✓' })))
      expect(await storage.find({ project: 'shop' }, 7)).toEqual({
        version: 1,
        changeRequest: changeRequest(7, { title: 'Tür ✓' }),
      })
    })

    it('returns undefined for another project or an unknown id', async () => {
      await storage.commit(write(changeRequest(7)))
      expect(await storage.find({ project: 'other' }, 7)).toBeUndefined()
      expect(await storage.find({ project: 'shop' }, 8)).toBeUndefined()
    })

    it('returns no reference into the store', async () => {
      await storage.commit(write(changeRequest(7)))
      const first = await storage.find({ project: 'shop' }, 7)
      Object.assign(first?.changeRequest ?? {}, { title: 'changed outside' })
      expect((await storage.find({ project: 'shop' }, 7))?.changeRequest.title).toBeNull()
    })
  })

  describe('list', () => {
    it('is ordered by createdAt, then by id, both descending', async () => {
      for (const [id, ms] of [
        [1, 2],
        [2, 1],
        [3, 2],
        [4, 0],
        [5, 3],
      ] as const) {
        await storage.commit(write(changeRequest(id, { createdAt: afterNoon(ms) })))
      }
      const filter = { viewer: null }
      expect(await idsOf(storage.list(filter, all))).toEqual([5, 3, 1, 2, 4])
    })

    it('combines all given filters', async () => {
      const requests = [
        changeRequest(1, { author: 1 }),
        changeRequest(2, { author: 2 }),
        changeRequest(3, { author: 1, project: 'bank' }),
        changeRequest(4, { author: 1, state: 'Applied' }),
        changeRequest(5, { author: 1, environment: 'staging' }),
        changeRequest(6, { author: 1, project: 'yard' }),
      ]
      for (const request of requests) {
        const subjects = request.id === 5 ? ['feature:cart'] : ['feature:checkout', 'segment:4']
        await storage.commit(write(request, { subjects }))
      }
      const list = (filter: object) => idsOf(storage.list({ viewer: null, ...filter }, all))
      expect(await list({})).toEqual([6, 5, 4, 3, 2, 1])
      expect(await list({ projects: ['shop'] })).toEqual([5, 4, 2, 1])
      expect(await list({ projects: ['shop', 'bank'] })).toEqual([5, 4, 3, 2, 1])
      expect(await list({ projects: [] })).toEqual([])
      expect(await list({ states: ['Applied', 'Rejected'] })).toEqual([4])
      expect(await list({ states: [] })).toEqual([])
      expect(await list({ createdBy: 1 })).toEqual([6, 5, 4, 3, 1])
      expect(await list({ subjects: ['feature:checkout'] })).toEqual([6, 4, 3, 2, 1])
      expect(await list({ subjects: ['segment:4'], projects: ['shop'], states: ['Approved'], createdBy: 1 })).toEqual([
        1,
      ])
      expect(await list({ subjects: ['feature:check'] })).toEqual([])
      expect(await list({ projects: ["shop' or '1'='1"] })).toEqual([])
    })

    it('shows drafts only to their author, also when filtering by Draft', async () => {
      await storage.commit(write(changeRequest(1, { author: 1, state: 'Draft' })))
      await storage.commit(write(changeRequest(2, { author: 2, state: 'Draft' })))
      await storage.commit(write(changeRequest(3, { author: 3 })))
      expect(await idsOf(storage.list({ viewer: 1 }, all))).toEqual([3, 1])
      expect(await idsOf(storage.list({ viewer: 3 }, all))).toEqual([3])
      expect(await idsOf(storage.list({ viewer: null }, all))).toEqual([3])
      expect(await idsOf(storage.list({ viewer: 1, states: ['Draft'] }, all))).toEqual([1])
      expect(await idsOf(storage.list({ viewer: 1, createdBy: 2 }, all))).toEqual([])
    })
  })

  describe('countByState', () => {
    it('counts what the same filter lists', async () => {
      await storage.commit(write(changeRequest(1, { author: 1, state: 'Draft' })))
      await storage.commit(write(changeRequest(2, { author: 2, state: 'Draft' })))
      await storage.commit(write(changeRequest(3, { state: 'In review' })))
      await storage.commit(write(changeRequest(4, { state: 'In review', project: 'bank' })))
      await storage.commit(write(changeRequest(5, { state: 'Applied' })))
      expect(await storage.countByState({ viewer: 1 })).toEqual({ Draft: 1, 'In review': 2, Applied: 1 })
      expect(await storage.countByState({ viewer: null, projects: ['shop'] })).toEqual({ 'In review': 1, Applied: 1 })
      expect(await storage.countByState({ viewer: 1, projects: [] })).toEqual({})
    })
  })

  describe('projects', () => {
    it('returns each project with change requests once', async () => {
      expect(await storage.projects()).toEqual([])
      const projects = ['shop', 'bank', 'shop', 'yard', 'bank', 'Ärger', '']
      for (const [index, project] of projects.entries()) {
        await storage.commit(write(changeRequest(index + 1, { project })))
      }
      expect((await storage.projects()).sort()).toEqual(['', 'bank', 'shop', 'yard', 'Ärger'])
    })
  })

  describe('commit', () => {
    it('replaces the subjects', async () => {
      const list = (subject: string) => idsOf(storage.list({ viewer: null, subjects: [subject] }, all))
      await storage.commit(write(changeRequest(1), { subjects: ['feature:a', 'feature:b', 'feature:a'] }))
      await storage.commit(write(changeRequest(2), { subjects: ['feature:a'] }))
      expect(await list('feature:a')).toEqual([2, 1])
      await storage.commit(write(changeRequest(1), { expectedVersion: 1, subjects: ['feature:b', 'segment:3'] }))
      expect(await list('feature:a')).toEqual([2])
      expect(await list('feature:b')).toEqual([1])
      expect(await list('segment:3')).toEqual([1])
      await storage.commit(write(changeRequest(1), { expectedVersion: 2 }))
      expect(await list('feature:b')).toEqual([])
    })

    it('does not change the subjects when it loses the race', async () => {
      await storage.commit(write(changeRequest(1), { subjects: ['feature:a'] }))
      expect(await storage.commit(write(changeRequest(1), { expectedVersion: 7, subjects: ['feature:b'] }))).toBe(false)
      expect(await idsOf(storage.list({ viewer: null, subjects: ['feature:a'] }, all))).toEqual([1])
      expect(await idsOf(storage.list({ viewer: null, subjects: ['feature:b'] }, all))).toEqual([])
    })

    it('removes a change request with its subjects, and keeps its events', async () => {
      const draft = changeRequest(1, { state: 'Draft' })
      await storage.commit(write(draft, { subjects: ['feature:a'], events: [event('change-request-created')] }))
      const discard = { expectedVersion: 1, removed: true, subjects: ['feature:a'] }
      const events = [event('change-request-discarded')]
      expect(await storage.commit(write(draft, { ...discard, events }))).toBe(true)
      expect(await storage.find({ project: 'shop' }, 1)).toBeUndefined()
      expect(await findOpen(storage, { project: 'shop', environment: 'production', userId: 1 })).toBeUndefined()
      expect(await idsOf(storage.list({ viewer: 1, subjects: ['feature:a'] }, all))).toEqual([])
      // Its events stay, so their project stays as well.
      expect(await storage.projects()).toEqual(['shop'])
      expect(await eventTypes(storage)).toEqual(['change-request-created', 'change-request-discarded'])
    })

    it('removes with the same version check as a write', async () => {
      await storage.commit(write(changeRequest(1), { subjects: ['feature:a'] }))
      const removal = { removed: true, events: [event()] }
      expect(await storage.commit(write(changeRequest(1), { ...removal, expectedVersion: 2 }))).toBe(false)
      expect(await storage.commit(write(changeRequest(2), { ...removal, expectedVersion: 0 }))).toBe(false)
      expect(await idsOf(storage.list({ viewer: null, subjects: ['feature:a'] }, all))).toEqual([1])
      expect(await eventTypes(storage)).toEqual([])
    })

    it('never reuses the id of a removed change request, and allows a new open one', async () => {
      const [id = 0] = await storage.nextIds('changeRequest', 1)
      await storage.commit(write(changeRequest(id, { author: 1 })))
      await storage.commit(write(changeRequest(id, { author: 1 }), { expectedVersion: 1, removed: true }))
      const [next = 0] = await storage.nextIds('changeRequest', 1)
      expect(next).toBeGreaterThan(id)
      expect(await storage.commit(write(changeRequest(next, { author: 1 })))).toBe(true)
    })

    it('lets exactly one of a removal and 19 concurrent writes of a version win', async () => {
      await storage.commit(write(changeRequest(1), { subjects: ['feature:start'] }))
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          storage.commit(
            write(changeRequest(1), {
              expectedVersion: 1,
              removed: index === 10,
              subjects: [`feature:${index}`],
              events: [event(`event-${index}`)],
            }),
          ),
        ),
      )
      expect(outcomes.filter((won) => won)).toHaveLength(1)
      const winner = outcomes.indexOf(true)
      expect(await eventTypes(storage)).toEqual([`event-${winner}`])
      const found = await Promise.all(
        outcomes.map((_, index) => idsOf(storage.list({ viewer: null, subjects: [`feature:${index}`] }, all))),
      )
      expect(found.flatMap((list, index) => list.map(() => index))).toEqual(winner === 10 ? [] : [winner])
    })

    it('lets exactly one of 20 first writes of an id win', async () => {
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          storage.commit(write(changeRequest(1, { title: `${index}` }), { events: [event(`event-${index}`)] })),
        ),
      )
      expect(outcomes.filter((won) => won)).toHaveLength(1)
      const winner = outcomes.indexOf(true)
      expect((await storage.find({ project: 'shop' }, 1))?.changeRequest.title).toBe(`${winner}`)
      expect(await eventTypes(storage)).toEqual([`event-${winner}`])
    })

    it('rejects reopening a change request next to another open one of its author', async () => {
      await storage.commit(write(changeRequest(1, { author: 1, state: 'Scheduled' })))
      await storage.commit(write(changeRequest(2, { author: 1, state: 'Draft' })))
      const again = write(changeRequest(1, { author: 1, state: 'Approved' }), { expectedVersion: 1, events: [event()] })
      expect(await storage.commit(again)).toBe(false)
      expect((await storage.find({ project: 'shop' }, 1))?.changeRequest.state).toBe('Scheduled')
      expect(await eventTypes(storage)).toEqual([])
    })
  })
})
