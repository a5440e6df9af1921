import type { EventFollowOptions, EventReadOptions } from '../../../src/index'
import { memoryStorage } from '../../../src/index'
import { consumerApp, until } from '../../support/consumers/consumer-app'

const idsOf = ({ events }: { readonly events: readonly { readonly id: number }[] }) => events.map(({ id }) => id)

describe('events.read', () => {
  it('returns the newest events first, or the oldest after an id, page by page', async () => {
    const app = consumerApp()
    await app.record(5)
    const { read } = app.router.events
    const newest = await read({ limit: 2 })
    expect([idsOf(newest), newest.next]).toEqual([[5, 4], 4])
    const second = await read({ limit: 3, before: newest.next ?? 0 })
    expect([idsOf(second), second.next]).toEqual([[3, 2, 1], null])
    const oldest = await read({ limit: 2, after: 0 })
    expect([idsOf(oldest), oldest.next]).toEqual([[1, 2], 2])
    expect(idsOf(await read({ after: 4 }))).toEqual([5])
    expect(await read({ after: 5 })).toEqual({ events: [], next: null })
  })

  it('returns at most 50 without a limit, and only what matches the filter', async () => {
    const app = consumerApp()
    await app.record(51)
    await app.record(1, 1, 'bank')
    expect((await app.router.events.read()).events).toHaveLength(50)
    expect(idsOf(await app.router.events.read({ filter: { projects: ['bank'] } }))).toEqual([52])
    const filter = { features: ['flag-1'], types: ['feature-updated' as const], environments: undefined as never }
    expect(idsOf(await app.router.events.read({ filter }))).toEqual([52, 1])
  })

  it.each([
    ['limit', { limit: 1_001 }],
    ['limit', { limit: 0 }],
    ['after', { after: -1 }],
    ['before', { before: 1.5 }],
    ['after', { after: 1, before: 2 }],
    ['offset', { offset: 3 }],
    ['type', { filter: { type: ['feature-updated'] } }],
  ])('rejects an invalid %s', async (name, options) => {
    const reading = consumerApp().router.events.read(options as EventReadOptions)
    await expect(reading).rejects.toThrow(TypeError)
    await expect(consumerApp().router.events.read(options as EventReadOptions)).rejects.toThrow(`"${name}"`)
  })
})

describe('events.follow', () => {
  async function follow(app: ReturnType<typeof consumerApp>, options: EventFollowOptions, into: number[]) {
    for await (const { id } of app.router.events.follow(options)) into.push(id)
    return 'ended'
  }

  it('yields the events after an id, then new ones, each once, until its signal aborts', async () => {
    const app = consumerApp()
    await app.record(3)
    const leaving = new AbortController()
    const ids: number[] = []
    const following = follow(app, { after: 1, filter: { projects: ['shop'] }, signal: leaving.signal }, ids)
    await until(() => ids.length === 2)
    await app.record(1, 1, 'bank')
    await app.record(2)
    await until(() => ids.length === 4)
    leaving.abort()
    expect(await following).toBe('ended')
    expect(ids).toEqual([2, 3, 5, 6])
  })

  it('starts now without an id, and ends with router.close()', async () => {
    const app = consumerApp()
    await app.record(3)
    const ids: number[] = []
    const following = follow(app, {}, ids)
    await new Promise((resolve) => setTimeout(resolve, 50))
    await app.record(1)
    await until(() => ids.length === 1)
    await app.router.close()
    expect(await following).toBe('ended')
    expect(ids).toEqual([4])
  })

  it('survives a database that is away, with one line in the log', async () => {
    const storage = memoryStorage()
    let isAway = true
    const failing =
      <Given extends unknown[], Value>(call: (...given: Given) => Promise<Value>) =>
      async (...given: Given) => {
        if (isAway) throw new Error('out of reach')
        return call(...given)
      }
    const app = consumerApp({
      ...storage,
      eventHead: failing(storage.eventHead),
      eventPage: failing(storage.eventPage),
    })
    const ids: number[] = []
    void follow(app, { after: 0 }, ids)
    await app.record(2)
    await until(() => app.lines.length > 0)
    await new Promise((resolve) => setTimeout(resolve, 300))
    isAway = false
    await until(() => ids.length === 2)
    expect(app.messages('warn')).toEqual(['The event log could not be read. Retrying.'])
    await app.router.close()
  })

  it.each([
    ['after', { after: '1' }],
    ['signal', { signal: {} }],
    ['from', { from: 1 }],
  ])('rejects an invalid %s at the call', (name, options) => {
    expect(() => consumerApp().router.events.follow(options as EventFollowOptions)).toThrow(`"${name}"`)
  })
})
