import type { InspectionPage, StorageInspection } from '../../ports/storage/inspection'
import type { Storage } from '../../ports/storage/storage'
import {
  creation,
  freshId,
  key,
  later,
  moment,
  oddText,
  sampleChangeRequest,
  sampleEvent,
  stored,
  update,
} from '../samples'
import { event } from './events/samples'
import { type StorageSuite, together } from './suite'

const first: InspectionPage<never> = { after: null, limit: 1_000, bytes: 2 ** 30 }

export function describeInspection({ describe, test, expect }: StorageSuite): void {
  /** The suite has no other tests of a storage without `inspect`. */
  const ifSupported = (title: string, body: (inspect: StorageInspection, storage: Storage) => Promise<void>) =>
    test(title, async (storage) => {
      if (storage.inspect !== undefined) await body(storage.inspect, storage)
    })

  describe('inspect (optional)', () => {
    ifSupported('lacks no table and no column after migrate()', async (inspect) => {
      expect(await inspect.missing()).toEqual([])
    })

    ifSupported('returns a change request with everything that is stored with it', async (inspect, storage) => {
      const changeRequest = sampleChangeRequest({ id: await freshId(storage), state: 'Scheduled', title: oddText })
      const { id } = changeRequest
      const write = {
        ...creation(changeRequest, [{ ...sampleEvent(1), changeRequestId: id }, sampleEvent(2)]),
        ...{ subjects: ['feature:a', oddText], searchText: oddText, dueAt: later(1), applyingSince: later(2) },
      }
      await storage.commit(write)
      const { items, next } = await inspect.changeRequests(first)
      const { sha256, summary = '', subjects = [], ...found } = items[0] ?? {}
      const [oldest] = (await inspect.events(first)).items

      expect([items.length, next]).toEqual([1, id])
      expect(found).toEqual({
        ...{ id, version: 1, changeRequest, searchText: oddText, lastEventId: oldest?.id },
        columns: {
          ...{ project: key.project, environment: key.environment },
          ...{
            createdBy: key.userId,
            createdAt: moment,
            updatedAt: moment,
            state: 'Scheduled',
            stateSince: moment,
            open: true,
          },
          ...{ afterReview: false, wholeProject: true, held: false },
          ...{ dueAt: later(1), scheduledAt: later(1), applyingSince: later(2) },
        },
      })
      expect(JSON.parse(summary)).toEqual(write.summary)
      expect([...subjects].sort()).toEqual([...write.subjects].sort())
      expect(sha256?.stored).toBe(sha256?.computed)
    })

    ifSupported('returns a hash that each write of a document renews', async (inspect, storage) => {
      const created = await stored(storage)
      await storage.commit(update(created, { title: oddText }))
      const [found] = (await inspect.changeRequests(first)).items

      expect([found?.version, found?.changeRequest?.title]).toEqual([2, oddText])
      expect(found?.sha256.stored).toBe(found?.sha256.computed)
    })

    ifSupported('returns events with their columns and their text', async (inspect, storage) => {
      const plain = event()
      const full = event({
        ...{
          project: 'shop',
          environment: 'production',
          featureName: oddText,
          createdByUserId: 7,
          createdByKind: 'agent',
        },
        ...{ changeRequestId: 3, groupType: 'apply', groupId: 'of one apply', data: { text: oddText } },
      })
      await storage.appendEvents([plain, full])
      const { items } = await inspect.events(first)

      const expected = [plain, full].map(({ json, createdByKind = null, ...columns }) => {
        return { columns: { ...columns, createdByKind }, body: JSON.parse(json) }
      })
      expect(items.map(({ columns, json }) => ({ columns, body: JSON.parse(json) }))).toEqual(expected)
    })

    ifSupported('returns stored counts of change requests that are what counting gives', async (inspect, storage) => {
      await together(3, (userId) => stored(storage, { userId, project: userId === 2 ? 'other' : 'shop' }))
      await storage.appendEvents([sampleEvent(1), sampleEvent(2)])
      const whole = (await inspect.counts({ after: null })).items[0]
      const { items, next } = await inspect.counts({ after: 'other' })

      expect([whole?.project, items.map(({ project }) => project), next]).toEqual(['', ['shop'], 'shop'])
      const { changeRequests = [], events = [] } = items[0] ?? {}
      expect(changeRequests.map(({ stored }) => stored)).toEqual(changeRequests.map(({ counted }) => counted))
      expect(changeRequests.length > 0).toBe(true)
      expect(events.find(({ term }) => term === '')?.total).toBe(2)
      expect(await inspect.counts({ after: 'shop' })).toEqual({ items: [], next: null })
    })

    ifSupported('returns consumers by name', async (inspect, storage) => {
      const at = { position: 7, event: { id: 5, fingerprint: '1f3a09bc' } }
      for (const name of ['search', 'audit']) await storage.consumers?.create(name, at)

      expect((await inspect.consumers(first)).items).toEqual(['audit', 'search'].map((name) => ({ name, ...at })))
    })

    ifSupported('returns pages that are bounded by their items and bytes', async (inspect, storage) => {
      const ids = (await together(3, (userId) => stored(storage, { userId }))).map((one) => one.changeRequest.id).sort()
      await storage.appendEvents([sampleEvent(1), sampleEvent(2), sampleEvent(3)])
      const next = async (after: number | null, limit: number, bytes: number) => {
        return (await inspect.changeRequests({ after, limit, bytes })).items.map(({ id }) => id)
      }

      expect(await next(null, 2, 2 ** 30)).toEqual(ids.slice(0, 2))
      expect(await next(ids[1] ?? 0, 2, 2 ** 30)).toEqual(ids.slice(2))
      // A single item may be larger.
      expect(await next(null, 3, 1)).toEqual(ids.slice(0, 1))
      expect((await inspect.events({ after: null, limit: 3, bytes: 1 })).items.length).toBe(1)
    })
  })
}
