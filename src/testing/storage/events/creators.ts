import { storedClosed } from '../../samples'
import { type StorageSuite, together } from '../suite'
import { appended, event } from './samples'

export function describeEventCreators({ describe, test, expect }: StorageSuite): void {
  describe('eventCreators(projects)', () => {
    test('returns the users who have written events, by id, with the name in their newest event', async (storage) => {
      expect(await storage.eventCreators()).toEqual([])
      await appended(storage, [
        event({ createdByUserId: 10, createdBy: 'old name', project: 'shop' }),
        event({ createdByUserId: 9, createdBy: 'nine', project: 'blog' }),
        event({ createdByUserId: null, createdBy: 'nobody', project: 'shop' }),
        event({ createdByUserId: 10, createdBy: 'ten "x"', project: 'blog' }),
        event({ createdByUserId: -42, createdBy: 'admin' }),
        event({ createdByUserId: -1337, createdBy: 'system' }),
        event({ createdByUserId: 0, createdBy: 'zero' }),
      ])

      expect(await storage.eventCreators()).toEqual([
        { id: -1337, createdBy: 'system' },
        { id: -42, createdBy: 'admin' },
        { id: 0, createdBy: 'zero' },
        { id: 9, createdBy: 'nine' },
        { id: 10, createdBy: 'ten "x"' },
      ])
    })

    test('returns only those of the projects, by their events there', async (storage) => {
      await appended(storage, [
        event({ createdByUserId: 1, createdBy: 'in shop', project: 'shop' }),
        event({ createdByUserId: 1, createdBy: 'in blog', project: 'blog' }),
        event({ createdByUserId: 2, createdBy: 'two', project: 'wiki' }),
        event({ createdByUserId: 3, createdBy: 'three' }),
      ])

      expect(await storage.eventCreators(['shop'])).toEqual([{ id: 1, createdBy: 'in shop' }])
      expect(await storage.eventCreators(['shop', 'blog', 'shop'])).toEqual([{ id: 1, createdBy: 'in blog' }])
      expect(await storage.eventCreators(['wiki', 'none'])).toEqual([{ id: 2, createdBy: 'two' }])
      expect(await storage.eventCreators(['wiki', 'shop'])).toEqual([
        { id: 1, createdBy: 'in shop' },
        { id: 2, createdBy: 'two' },
      ])
      expect(await storage.eventCreators(['none'])).toEqual([])
      expect(await storage.eventCreators([''])).toEqual([])
      expect(await storage.eventCreators([])).toEqual([])
    })

    test('returns the kind of a machine, as of its newest event', async (storage) => {
      await appended(storage, [
        event({ createdByUserId: 1, createdBy: 'ann', createdByKind: 'agent', project: 'shop' }),
        event({ createdByUserId: 1, createdBy: 'ann', project: 'blog' }),
        event({ createdByUserId: 2, createdBy: 'bot', project: 'shop' }),
        event({ createdByUserId: 2, createdBy: 'bot', createdByKind: 'service', project: 'shop' }),
      ])

      expect(await storage.eventCreators()).toEqual([
        { id: 1, createdBy: 'ann' },
        { id: 2, createdBy: 'bot', kind: 'service' },
      ])
      expect(await storage.eventCreators(['shop'])).toEqual([
        { id: 1, createdBy: 'ann', kind: 'agent' },
        { id: 2, createdBy: 'bot', kind: 'service' },
      ])
    })

    test('returns all of 20 concurrent writers', async (storage) => {
      await together(20, (index) =>
        storage.appendEvents([event({ createdByUserId: index, createdBy: `number ${index}` })]),
      )
      const expected = Array.from({ length: 20 }, (_, id) => ({ id, createdBy: `number ${id}` }))

      expect(await storage.eventCreators()).toEqual(expected)
    })
  })

  describe('projects()', () => {
    test('returns those that have only an event, and those that have a change request', async (storage) => {
      await appended(storage, [
        event({ project: 'logged' }),
        event({ project: 'both' }),
        event(),
        event({ project: 'logged' }),
      ])
      await storedClosed(storage, { project: 'both' })
      await storedClosed(storage, { project: 'proposed' })

      expect([...(await storage.projects())].sort()).toEqual(['both', 'logged', 'proposed'])
    })
  })
}
