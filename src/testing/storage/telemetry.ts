import type { StoredGauges } from '../../ports/storage/gauges'
import { allEvents, creation, freshId, key, later, sampleChangeRequest, sampleEvent, storedClosed } from '../samples'
import { appended, event } from './events/samples'
import type { StorageSuite } from './suite'

const trace = (digit: string) => `00-${digit.repeat(32)}-${digit.repeat(16)}-01`

/** The number of change requests of each place and state, in a fixed order. */
function counted({ changeRequests }: StoredGauges): [string, number][] {
  const totals = new Map<string, number>()
  for (const { project, environment, state, count } of changeRequests) {
    const name = `${project}/${environment}: ${state}`
    totals.set(name, (totals.get(name) ?? 0) + count)
  }
  return [...totals].sort()
}

export function describeTelemetry({ describe, test, expect }: StorageSuite): void {
  describe('eventTraces(ids)', () => {
    test('returns the traces of a commit and of appended events, by id, and nothing for events without one', async (storage) => {
      const changeRequest = sampleChangeRequest({ id: await freshId(storage) })
      const committed = [sampleEvent('without'), { ...sampleEvent('committed'), trace: trace('a') }]
      await storage.commit(creation(changeRequest, committed))
      await storage.appendEvents([{ ...event(), trace: trace('b') }, event()])
      const ids = (await allEvents(storage)).map(({ id }) => id)

      const traces = await storage.eventTraces(ids)
      expect([...traces].sort()).toEqual([
        [ids[1], trace('a')],
        [ids[2], trace('b')],
      ])
      expect([...(await storage.eventTraces([ids[2] as number, 999_999]))]).toEqual([[ids[2], trace('b')]])
      expect([...(await storage.eventTraces([]))]).toEqual([])
    })

    test('are part of no page', async (storage) => {
      const [id] = await appended(storage, [{ ...event(), trace: trace('c') }])
      const [found] = await allEvents(storage)

      expect(found?.id).toBe(id)
      expect(JSON.stringify(found).includes('ccc')).toBe(false)
    })
  })

  describe('gauges()', () => {
    test('counts change requests by place and state, without drafts and closed ones', async (storage) => {
      expect(counted(await storage.gauges())).toEqual([])
      for (const state of ['Draft', 'In review', 'Approved', 'Approved', 'Scheduled', 'Applied', 'Rejected'] as const) {
        await storedClosed(storage, { state })
      }
      await storedClosed(storage, { state: 'Cancelled', project: 'blog' })
      await storedClosed(storage, { state: 'In review', project: 'blog', environment: 'staging', userId: 8 })

      expect(counted(await storage.gauges())).toEqual([
        ['blog/staging: In review', 1],
        [`${key.project}/${key.environment}: Approved`, 2],
        [`${key.project}/${key.environment}: In review`, 1],
        [`${key.project}/${key.environment}: Scheduled`, 1],
      ])
    })

    test('returns the lag of each consumer, and the time of the first event after its position', async (storage) => {
      const { consumers } = storage
      if (consumers === undefined) return expect((await storage.gauges()).consumers).toEqual([])
      const times = [later(0), later(1_000), later(2_000)]
      const ids = await appended(
        storage,
        times.map((createdAt) => event({ createdAt })),
      )
      const [first = 0, , last = 0] = ids
      await consumers.create('behind', { position: first, event: null })
      await consumers.create('done', { position: last, event: null })
      await consumers.create('new', { position: 0, event: null })
      const gauges = [...(await storage.gauges()).consumers]

      expect(gauges.sort((one, other) => (one.name < other.name ? -1 : 1))).toEqual([
        { name: 'behind', lag: last - first, since: times[1] },
        { name: 'done', lag: 0, since: null },
        { name: 'new', lag: last, since: times[0] },
      ])
    })
  })
}
