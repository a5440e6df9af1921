import type { Storage } from '../../../src'
import { type FeedStep, type Subscription, subscribe } from '../../../src/capabilities/log/subscribe'
import { Cancellation } from '../../../src/kernel/log/cancellation'
import { EventFeed, followersPerTurn } from '../../../src/kernel/log/event-feed'
import { followPages } from '../../../src/kernel/log/follow'
import type { LogPosition } from '../../../src/kernel/log/position'
import type { EventHead, EventPage } from '../../../src/ports/storage/events'
import { memoryStorage } from '../../../src/storage/memory'
import { sampleEvent } from '../../../src/testing/samples'
import { rejection } from '../support/fixture'
import { Gate } from '../support/flags'

const pollMs = 1_000

/** Whether a page is read only to compare the log with a position. */
const isCheck = ([filter]: Parameters<Storage['eventPage']>) => filter.ids !== undefined

type Wrapped<Value> = (read: () => Promise<Value>) => Promise<Value>

interface LogOptions {
  readonly announces?: boolean
  readonly head?: Wrapped<EventHead>
  readonly page?: Wrapped<EventPage>
}

/** A log that counts its reads, which a test can wrap, and announces its writes only to listeners. */
function createLog({ announces = false, head = (read) => read(), page = (read) => read() }: LogOptions = {}) {
  const memory = memoryStorage()
  const { onAppend, ...silent } = memory
  const asked = { heads: 0, pages: 0, listeners: 0 }
  const storage: Storage = {
    ...silent,
    eventHead(scope) {
      asked.heads += 1
      return head(() => memory.eventHead(scope))
    },
    eventPage(...query) {
      if (isCheck(query)) return memory.eventPage(...query)
      asked.pages += 1
      return page(() => memory.eventPage(...query))
    },
  }
  if (announces) {
    storage.onAppend = (listener) => {
      asked.listeners += 1
      const stop = onAppend?.(listener)
      return () => {
        asked.listeners -= 1
        stop?.()
      }
    }
  }
  const write = (...data: unknown[]) =>
    memory.appendEvents(data.map((each) => sampleEvent(each as never, typeof each === 'number' ? 'numbers' : 'shop')))
  return { storage, memory, asked, write }
}

/** The result of a read arrives when the gate opens. */
const after =
  (gate: Gate) =>
  async <Value>(read: () => Promise<Value>): Promise<Value> => {
    const value = await read()
    await gate.pass()
    return value
  }

/** A follower, with the received positions and data. */
function follow(
  feed: EventFeed,
  {
    heartbeatMs = 3_600_000,
    followMs = 3_600_000,
    from = 0,
    ...more
  }: Partial<Omit<Subscription, 'from'>> & {
    heartbeatMs?: number
    followMs?: number
    from?: number | LogPosition
  } = {},
) {
  const cancellation = new Cancellation()
  const got: { readonly position: number; readonly data: unknown[] }[] = []
  const state = { ended: false, error: undefined as unknown }
  const take = ({ page, position }: FeedStep) => {
    const events = page === undefined ? [] : JSON.parse(`[${Buffer.from(page.json)}]`)
    got.push({ position: position.id, data: events.map(({ data }: { data: unknown }) => data) })
  }
  const start = typeof from === 'number' ? { id: from, fingerprint: '' } : from
  const subscription = { filter: {}, grouped: false, from: start, cancellation, ...more }
  const running = (async () => {
    for await (const step of subscribe(feed, subscription, { heartbeatMs, followMs }, same)) take(step)
  })()
    .catch((error: unknown) => {
      state.error = error
    })
    .finally(() => {
      state.ended = true
    })
  return {
    got,
    state,
    data: () => got.flatMap((step) => step.data),
    end() {
      cancellation.cancel()
      return running
    },
    running,
  }
}

const turn = (ms = 0) => jest.advanceTimersByTimeAsync(ms)

/** Runs more turns of the event loop than any of these tests needs. */
async function untilIdle(): Promise<void> {
  for (let count = 0; count < 30; count += 1) await turn(1)
}

/** Runs everything that needs no further turn of the event loop. */
async function settleMicrotasks(): Promise<void> {
  for (let count = 0; count < 50; count += 1) await Promise.resolve()
}

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

const same = (step: FeedStep) => step

describe('EventFeed', () => {
  it('reads the log when the first follower joins, then once per poll for any number of followers', async () => {
    const { storage, asked } = createLog()
    const feed = new EventFeed(storage, pollMs)
    await turn(5_000)
    expect(asked.heads).toBe(0)
    const followers = Array.from({ length: 50 }, () => follow(feed))
    await turn()
    expect(asked.heads).toBe(1)
    await turn(999)
    expect(asked.heads).toBe(1)
    await turn(1)
    expect(asked.heads).toBe(2)
    await turn(3_000)
    expect(asked.heads).toBe(5)
    for (const { end } of followers.slice(1)) await end()
    await turn(1_000)
    expect(asked.heads).toBe(6)
    await followers[0]?.end()
    await turn(5_000)
    expect([asked.heads, jest.getTimerCount()]).toEqual([6, 0])
  })

  it('polls again only after the storage has responded', async () => {
    const gate = new Gate()
    const { storage, asked } = createLog({ head: (read) => gate.pass().then(read) })
    const follower = follow(new EventFeed(storage, pollMs))
    await turn(5_000)
    expect(asked.heads).toBe(1)
    gate.letGo()
    await turn(999)
    expect(asked.heads).toBe(1)
    await turn(1)
    expect(asked.heads).toBe(2)
    await follower.end()
  })

  it('polls immediately when the storage announces a write, but at most every 20 ms', async () => {
    const { storage, asked, write } = createLog({ announces: true })
    const feed = new EventFeed(storage, pollMs)
    const follower = follow(feed)
    const other = follow(feed)
    await turn()
    expect(asked).toMatchObject({ heads: 1, listeners: 1 })
    await other.end()
    expect(asked.listeners).toBe(1)
    for (let n = 0; n < 10; n += 1) await write(n)
    await turn(19)
    expect(asked.heads).toBe(1)
    await turn(1)
    expect([asked.heads, follower.data()]).toEqual([2, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]])
    await turn(500)
    await write('late')
    await turn()
    expect([asked.heads, follower.data().at(-1)]).toEqual([3, 'late'])
    await follower.end()
    expect(asked.listeners).toBe(0)
  })

  it('polls again soon after a poll during a write', async () => {
    const gate = new Gate()
    const { storage, asked, write } = createLog({ announces: true, head: after(gate) })
    const follower = follow(new EventFeed(storage, pollMs))
    await turn()
    await write('meanwhile')
    await turn(500)
    expect(asked.heads).toBe(1)
    gate.letGo()
    await turn(19)
    expect(follower.data()).toEqual([])
    await turn(1)
    expect([asked.heads, follower.data()]).toEqual([2, ['meanwhile']])
    await follower.end()
  })

  it('reads once for followers with the same query, and again for another query', async () => {
    const { storage, asked, write } = createLog()
    const feed = new EventFeed(storage, pollMs)
    const all = [
      follow(feed),
      follow(feed),
      follow(feed, { filter: { projects: ['shop'] } }),
      follow(feed, { grouped: true }),
    ]
    await turn()
    await write('a', 1)
    await turn(1_000)
    expect(asked.pages).toBe(3)
    expect(all.map(({ data }) => data())).toEqual([['a', 1], ['a', 1], ['a'], ['a', 1]])
    await write('b')
    await turn(1_000)
    expect(asked.pages).toBe(6)
    const late = follow(feed)
    await turn()
    expect([asked.pages, late.data()]).toEqual([7, ['a', 1, 'b']])
    await Promise.all([...all, late].map(({ end }) => end()))
  })

  it('wakes followers in turns, reads once for all of them, and each gets every event in order', async () => {
    const gate = new Gate()
    const { storage, asked, write } = createLog({ page: after(gate) })
    const feed = new EventFeed(storage, pollMs)
    const followers = Array.from({ length: followersPerTurn * 3 + 1 }, () => follow(feed))
    await turn()
    await write('a', 'b')
    jest.advanceTimersByTime(pollMs)
    const served = () => followers.filter(({ data }) => data().length > 0).length
    const iterations: number[] = []
    for (let count = 0; count < 30; count += 1) {
      // The page is read slowly. The followers of later turns do not wait for it together.
      if (count === 5) gate.letGo()
      await settleMicrotasks()
      iterations.push(served())
      jest.advanceTimersByTime(0)
    }
    const steps = iterations.map((total, index) => total - (iterations[index - 1] ?? 0)).filter((step) => step > 0)

    expect(steps).toEqual([followersPerTurn, followersPerTurn, followersPerTurn, 1])
    expect(asked.pages).toBe(1)
    await write('c')
    await turn(pollMs)
    await untilIdle()
    expect(followers.map(({ data }) => data())).toEqual(followers.map(() => ['a', 'b', 'c']))
    expect(asked.pages).toBe(2)
    await Promise.all(followers.map(({ end }) => end()))
  })

  it('wakes again those that wait for an event which was written while others were woken', async () => {
    const { storage, write } = createLog()
    const feed = new EventFeed(storage, pollMs)
    const followers = Array.from({ length: followersPerTurn * 2 }, () => follow(feed))
    await turn()
    await write('a')
    jest.advanceTimersByTime(pollMs)
    await settleMicrotasks()
    await write('b')
    await feed.readNewest()
    await untilIdle()

    expect(followers.map(({ data }) => data())).toEqual(followers.map(() => ['a', 'b']))
    await Promise.all(followers.map(({ end }) => end()))
  })

  it('continues from the end of a page, although the log has grown', async () => {
    const gate = new Gate()
    let reads = 0
    const { storage, write } = createLog({
      page(read) {
        reads += 1
        return reads === 1 ? after(gate)(read) : read()
      },
    })
    const feed = new EventFeed(storage, pollMs)
    await write('a')
    const first = follow(feed)
    await turn()
    await write('b')
    await turn(1_000)
    expect([reads, feed.head]).toEqual([1, 2])
    const second = follow(feed)
    await turn()
    gate.letGo()
    await turn()
    expect([first.data(), second.data()]).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ])
    await Promise.all([first.end(), second.end()])
  })

  it('continues from the last event of a full page, and from the head after a partial one', async () => {
    const { storage, write } = createLog()
    await write(...Array.from({ length: 501 }, (_, index) => index), 'other')
    const feed = new EventFeed(storage, pollMs)
    const follower = follow(feed, { filter: { projects: ['numbers'] } })
    await turn()
    expect(follower.got.map(({ position, data }) => [position, data.length])).toEqual([
      [500, 500],
      [502, 1],
    ])
    await follower.end()
  })

  it('ends its followers when a poll fails, and can be followed again', async () => {
    let fails = false
    const { storage, write } = createLog({
      head: (read) => (fails ? Promise.reject(new Error('out of reach')) : read()),
    })
    const feed = new EventFeed(storage, pollMs)
    const followers = [follow(feed), follow(feed)]
    await turn()
    fails = true
    await turn(1_000)
    for (const { state } of followers) expect(state).toEqual({ ended: true, error: new Error('out of reach') })
    fails = false
    const again = follow(feed)
    await write('a')
    await turn(1_000)
    expect(again.data()).toEqual(['a'])
    await again.end()
  })

  it.each([
    ['shorter', ['a', 'b']],
    ['as long as before', ['a', 'b', 'd']],
  ])('ends its followers when the log was restored to an earlier state, and is %s', async (_, events) => {
    const { storage, memory, write } = createLog()
    let log: Storage = memory
    const feed = new EventFeed(
      { ...storage, eventHead: (scope) => log.eventHead(scope), eventPage: (...query) => log.eventPage(...query) },
      pollMs,
    )
    await write('a', 'b', 'c')
    const follower = follow(feed)
    await turn()
    expect(follower.data()).toEqual(['a', 'b', 'c'])
    const other = createLog()
    await other.write(...events)
    log = other.memory
    await turn(1_000)
    expect([follower.state, follower.data()]).toEqual([{ ended: true, error: undefined }, ['a', 'b', 'c']])

    const from = await feed.readNewest()
    const again = follow(feed, { from })
    await other.write('new')
    await turn(1_000)
    expect([from.id, again.data()]).toEqual([events.length, ['new']])
    await again.end()
  })

  it('loses no event that is written before a follower notices that the log was replaced', async () => {
    const [before, restored] = [createLog(), createLog()]
    await before.write('a', 'b', 'c')
    await restored.write('a', 'b')
    let log: Storage = before.memory
    let fails = false
    const eventHead: Storage['eventHead'] = (scope) =>
      fails ? Promise.reject(new Error('out of reach')) : log.eventHead(scope)
    const eventPage: Storage['eventPage'] = (...query) => log.eventPage(...query)
    const feed = new EventFeed({ ...before.storage, eventHead, eventPage }, 50)
    const logger = { debug() {}, info() {}, warn() {}, error: jest.fn() }
    const leaving = new AbortController()
    const follower = { filter: {}, grouped: false, signal: leaving.signal }
    const got: unknown[] = []
    const following = (async () => {
      for await (const { page } of followPages({ feed, logger, outage: { covers: () => false } }, follower)) {
        got.push(...JSON.parse(`[${Buffer.from(page.json)}]`))
      }
    })()
    await turn()

    fails = true
    await turn(60)
    // The follower pauses after the failure; meanwhile the feed finds another log, and then a new event of it.
    fails = false
    log = restored.memory
    await turn(60)
    await restored.write('new')
    await turn(1_000)
    expect(logger.error).toHaveBeenCalledTimes(1)
    expect(got).toMatchObject([{ id: 3, data: 'new' }])
    leaving.abort()
    await turn(60_000)
    await following
  })

  it('ends a follower whose page cannot be read', async () => {
    const { storage, write } = createLog()
    await write('a')
    const feed = new EventFeed({ ...storage, eventPage: () => Promise.reject(new Error('out of reach')) }, pollMs)
    const follower = follow(feed)
    await turn()
    expect(follower.state).toEqual({ ended: true, error: new Error('out of reach') })
  })

  it('stops polling when the last follower leaves during a poll', async () => {
    const gate = new Gate()
    const { storage } = createLog({ head: after(gate) })
    const follower = follow(new EventFeed(storage, pollMs))
    await turn()
    await follower.end()
    gate.letGo()
    await turn()
    expect(jest.getTimerCount()).toBe(0)
  })

  it('wakes a waiting follower only for a new event', async () => {
    const { storage, write } = createLog()
    await write('a')
    const feed = new EventFeed(storage, pollMs)
    await feed.readNewest()
    const leave = feed.join()
    const cancellation = new Cancellation()
    let awake = false
    const waiting = feed.waitForEvents(1, 60_000, cancellation).then(() => {
      awake = true
    })
    await turn(3_000)
    expect([awake, typeof cancellation.onCancel]).toEqual([false, 'function'])
    await write('b')
    await turn(1_000)
    expect([awake, typeof cancellation.onCancel]).toEqual([true, 'undefined'])
    await waiting
    leave()
  })

  it('does not wait if there are events to read, if the follower is gone, or when it is closed', async () => {
    const { storage, write } = createLog()
    await write('a')
    const feed = new EventFeed(storage, pollMs)
    await feed.readNewest()
    const present = new Cancellation()
    const cancelled = new Cancellation()
    cancelled.cancel()
    await feed.waitForEvents(0, 60_000, present)
    await feed.waitForEvents(1, 60_000, cancelled)
    await feed.close()
    await feed.waitForEvents(1, 60_000, present)
    expect(jest.getTimerCount()).toBe(0)
  })
})

describe('EventFeed.close', () => {
  it('ends all followers, and accepts no new ones', async () => {
    const { storage } = createLog()
    const feed = new EventFeed(storage, pollMs)
    const followers = [follow(feed), follow(feed)]
    await turn()
    await feed.close()
    await Promise.all(followers.map(({ running }) => running))
    expect(followers.map(({ got, state }) => [got, state.error])).toEqual(
      Array(2).fill([[{ position: 0, data: [] }], undefined]),
    )
    expect([feed.closed, jest.getTimerCount()]).toEqual([true, 0])
    expect(await rejection(feed.readNewest())).toMatchObject({
      name: 'UnavailableError',
      message: 'The server is shutting down.',
    })
    const late = follow(feed)
    await late.running
    expect(late.got).toEqual([{ position: 0, data: [] }])
  })

  it('waits for running reads, also if they fail', async () => {
    const { storage, write } = createLog()
    await write('a')
    let fail = (_: Error) => {}
    const page = new Promise<never>((_, reject) => {
      fail = reject
    })
    const feed = new EventFeed({ ...storage, eventPage: () => page }, pollMs)
    const follower = follow(feed)
    await turn()
    let closed = false
    const closing = feed.close().then(() => {
      closed = true
    })
    await turn()
    expect(closed).toBe(false)
    fail(new Error('out of reach'))
    await closing
    await follower.running
    expect(follower.state.error).toEqual(new Error('out of reach'))
  })
})

describe('subscribe', () => {
  it('yields events after its start, oldest first, and then new ones', async () => {
    const { storage, write } = createLog()
    await write('a', 'b')
    const feed = new EventFeed(storage, pollMs)
    const follower = follow(feed, { from: 1 })
    await turn()
    expect(follower.got).toEqual([{ position: 2, data: ['b'] }])
    await write('c')
    await turn(1_000)
    expect(follower.got.at(-1)).toEqual({ position: 3, data: ['c'] })
    await follower.end()
    expect(follower.got).toHaveLength(2)
  })

  it('yields its position after each heartbeat without events', async () => {
    const { storage, write } = createLog()
    const feed = new EventFeed(storage, 400)
    const follower = follow(feed, { filter: { projects: ['shop'] }, heartbeatMs: 1_000 })
    await turn(999)
    expect(follower.got).toEqual([])
    await turn(1)
    expect(follower.got).toEqual([{ position: 0, data: [] }])
    await write(1)
    await turn(1_000)
    expect(follower.got.slice(1)).toEqual([{ position: 1, data: [] }])
    await write('a')
    await turn(400)
    expect(follower.got.at(-1)).toEqual({ position: 2, data: ['a'] })
    const count = follower.got.length
    await turn(500)
    expect(follower.got).toHaveLength(count)
    await turn(600)
    expect(follower.got.slice(count)).toEqual([{ position: 2, data: [] }])
    await follower.end()
  })

  it('yields no position that it has not read', async () => {
    const gate = new Gate()
    const { storage, write } = createLog({ page: after(gate) })
    const feed = new EventFeed(storage, pollMs)
    await write(1)
    const follower = follow(feed, { filter: { projects: ['shop'] }, heartbeatMs: 1 })
    await turn()
    await write('own')
    await turn(1_000)
    expect(feed.head).toBe(2)
    gate.letGo()
    await turn()
    expect(follower.got.filter(({ position }) => position > 0).slice(0, 2)).toEqual([
      { position: 1, data: [] },
      { position: 2, data: ['own'] },
    ])
    await follower.end()
  })

  it('ends after its time limit, with its position', async () => {
    const { storage, write } = createLog()
    const feed = new EventFeed(storage, pollMs)
    const follower = follow(feed, { filter: { projects: ['shop'] }, followMs: 2_500 })
    await turn()
    await write(1)
    await turn(2_499)
    expect([follower.got, follower.state.ended]).toEqual([[], false])
    await turn(1)
    expect([follower.got, follower.state.ended]).toEqual([[{ position: 1, data: [] }], true])
    expect(jest.getTimerCount()).toBe(0)
  })

  it('ends immediately when the follower is gone, without a further step', async () => {
    const { storage } = createLog()
    const feed = new EventFeed(storage, pollMs)
    const follower = follow(feed)
    await turn()
    await follower.end()
    expect([follower.got, follower.state, jest.getTimerCount()]).toEqual([[], { ended: true, error: undefined }, 0])
    const cancellation = new Cancellation()
    cancellation.cancel()
    const late = follow(feed, { cancellation })
    await late.running
    expect(late.got).toEqual([])
  })

  it('unsubscribes also if its reader stops in the middle', async () => {
    const { storage, asked, write } = createLog({ announces: true })
    await write('a')
    const feed = new EventFeed(storage, pollMs)
    const cancellation = new Cancellation()
    const limits = { heartbeatMs: pollMs, followMs: pollMs * 10 }
    const steps = subscribe(
      feed,
      { filter: {}, grouped: false, from: { id: 0, fingerprint: '' }, cancellation },
      limits,
      same,
    )
    const first = steps.next()
    await turn()
    expect((await first).value?.position.id).toBe(1)
    expect(asked.listeners).toBe(1)
    await steps.return?.()
    await untilIdle()
    expect([asked.listeners, jest.getTimerCount()]).toEqual([0, 0])
  })
})
