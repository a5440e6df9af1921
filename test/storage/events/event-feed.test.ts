import { randomBytes } from 'node:crypto'
import { EventFeed } from '../../../src/operations/events/event-feed'
import { type FeedStep, subscribe } from '../../../src/operations/events/subscribe'
import type { EventFilter, Storage } from '../../../src/ports/storage'
import { memoryStorage } from '../../../src/storage/memory'
import { sampleEvent } from '../../../src/testing/samples'
import { until } from '../../faults/support/server'
import { databases, openAgain, postgres } from '../../support/databases'
import { connectionsInUse } from '../../support/databases/pool'

/** Longer than a test: what comes before it does not come from a poll. */
const never = 2 ** 31 - 1
const limits = { heartbeatMs: never, followMs: never }

interface Following {
  readonly data: unknown[]
  readonly steps: { position: number; events: number }[]
  end(): Promise<void>
}

function start(feed: EventFeed, from: number, filter: EventFilter = {}, heartbeatMs = never): Following {
  const gone = new AbortController()
  const data: unknown[] = []
  const steps: Following['steps'] = []
  const take = ({ page, position }: FeedStep) => {
    steps.push({ position, events: page?.count ?? 0 })
    if (page === undefined) return
    for (const event of JSON.parse(`[${Buffer.from(page.json)}]`)) data.push(event.data)
  }
  const running = (async () => {
    const asked = { filter, grouped: false, from, gone: gone.signal }
    for await (const step of subscribe(feed, asked, { ...limits, heartbeatMs })) take(step)
  })()
  return {
    data,
    steps,
    end() {
      gone.abort()
      return running
    },
  }
}

/** A storage that counts its calls, and announces no write. */
function counted(storage: Storage) {
  const asked = { heads: 0, pages: 0 }
  const { onAppend, ...silent } = storage
  const counting: Storage = {
    ...silent,
    eventHead(scope) {
      asked.heads += 1
      return storage.eventHead(scope)
    },
    eventPage(...query) {
      asked.pages += 1
      return storage.eventPage(...query)
    },
  }
  return { storage: counting, asked, onAppend }
}

describe('the feed of the log, for 50 followers', () => {
  const pollMs = 20

  it('asks the storage once a poll, and never without followers', async () => {
    const { storage, asked } = counted(memoryStorage())
    let answer = () => {}
    let answered = Number.NEGATIVE_INFINITY
    const pauses: number[] = []
    const held: Storage = {
      ...storage,
      async eventHead(scope) {
        pauses.push(performance.now() - answered)
        const head = await storage.eventHead(scope)
        await new Promise<void>((resolve) => {
          answer = resolve
        })
        return head
      },
    }
    const feed = new EventFeed(held, pollMs)
    const aWhile = () => new Promise((resolve) => setTimeout(resolve, 3 * pollMs))
    await aWhile()
    expect(asked.heads).toBe(0)

    const followers = Array.from({ length: 50 }, () => start(feed, 0))
    for (let poll = 1; poll <= 5; poll += 1) {
      await until(() => asked.heads >= poll)
      // As long as the storage has not answered nobody asks it again.
      await aWhile()
      expect(asked.heads).toBe(poll)
      answered = performance.now()
      answer()
    }
    // A busy machine makes a pause longer, none makes it shorter; a timer rounds to milliseconds.
    expect(Math.min(...pauses)).toBeGreaterThan(pollMs - 2)
    for (const follower of followers) await follower.end()

    const before = asked.heads
    await aWhile()
    expect(asked.heads).toBe(before)
  })

  it('reads once what followers with the same filter wait for, and again for each other filter', async () => {
    const { storage, asked } = counted(memoryStorage())
    const feed = new EventFeed(storage, pollMs)
    const filters = Array.from({ length: 50 }, (_, n) => (n < 40 ? {} : { projects: [n % 2 ? 'shop' : 'blog'] }))
    const followers = filters.map((filter) => start(feed, 0, filter))
    await storage.appendEvents([sampleEvent('a', 'shop')])
    await until(() => followers.slice(0, 40).every(({ data }) => data.length === 1))
    await until(() => asked.pages === 3)
    await storage.appendEvents([sampleEvent('b', 'shop')])
    await until(() => followers[41]?.data.length === 2 && asked.pages === 6)
    await Promise.all(followers.map((follower) => follower.end()))

    expect(asked.pages).toBe(6)
    for (const [n, { data }] of followers.entries()) expect(data).toEqual(n >= 40 && n % 2 === 0 ? [] : ['a', 'b'])
  })

  it('reads at once when a write is announced, and not once for each of many', async () => {
    const { storage, asked, onAppend } = counted(memoryStorage())
    const feed = new EventFeed({ ...storage, ...(onAppend && { onAppend }) }, never)
    const follower = start(feed, 0)
    await until(() => asked.heads === 1)
    for (let n = 0; n < 1000; n += 1) await storage.appendEvents([sampleEvent(n)])
    await until(() => follower.data.length === 1000)
    await follower.end()
    expect(asked.heads).toBeLessThan(50)
  })
})

describe('a subscriber of the feed', () => {
  it('that joins others while they read gets also what they do not get with that page', async () => {
    const memory = memoryStorage()
    let release = () => {}
    let reading = 0
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const storage: Storage = {
      ...memory,
      async eventPage(...query) {
        const page = await memory.eventPage(...query)
        reading += 1
        await held
        return page
      },
    }
    const feed = new EventFeed(storage, 5)
    await storage.appendEvents([sampleEvent('a')])
    const first = start(feed, 0)
    await until(() => reading === 1)
    await storage.appendEvents([sampleEvent('b')])
    await until(() => feed.head === 2)
    const second = start(feed, 0)
    release()
    await until(() => first.data.length === 2 && second.data.length === 2)
    await Promise.all([first.end(), second.end()])
    expect([first.data, second.data]).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ])
  })

  it('gets no position that was not looked at, however far the log is by then', async () => {
    const memory = memoryStorage()
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const storage: Storage = {
      ...memory,
      async eventPage(...query) {
        const page = await memory.eventPage(...query)
        await held
        return page
      },
    }
    const feed = new EventFeed(storage, 5)
    await storage.appendEvents([sampleEvent('other', 'shop')])
    // Its heartbeat is due whenever it looks.
    const follower = start(feed, 0, { projects: ['blog'] }, 1)
    await until(() => feed.head === 1)
    await storage.appendEvents([sampleEvent('own', 'blog')])
    await until(() => feed.head === 2)
    release()
    await until(() => follower.data.length === 1)
    await follower.end()
    expect(follower.data).toEqual(['own'])
    const first = (id: number) => follower.steps.find(({ position }) => position === id)
    expect([first(1), first(2)]).toEqual([
      { position: 1, events: 0 },
      { position: 2, events: 1 },
    ])
  })
})

describe.each(databases)('a follower on $name', ({ open }) => {
  it('hears at once of what is written inside a transaction, when that is committed', async () => {
    const { knex, storage, close } = await open()
    const feed = new EventFeed(storage, never)
    const follower = start(feed, await feed.present())
    try {
      await knex.transaction((transaction) => storage.within(transaction).appendEvents([sampleEvent('a')]))
      await storage.transaction((_transaction, inside) => inside.appendEvents([sampleEvent('b')]))
      await until(() => follower.data.length === 2)
      expect(follower.data).toEqual(['a', 'b'])
    } finally {
      await follower.end()
      await close()
    }
  })
})

describe('option notify on Postgres', () => {
  it('lets a follower hear at once of what another process wrote, also in a transaction of its host', async () => {
    const one = await postgres.open({ notify: true })
    const other = openAgain(one.place)
    const feed = new EventFeed(one.storage, never)
    const follower = start(feed, 0)
    try {
      await until(() => connectionsInUse(one.knex) === 1)
      await other.storage.appendEvents([sampleEvent('a')])
      await until(() => follower.data.length === 1)
      await other.knex.transaction((transaction) => other.storage.within(transaction).appendEvents([sampleEvent('b')]))
      await until(() => follower.data.length === 2)
      expect(follower.data).toEqual(['a', 'b'])
    } finally {
      await follower.end()
      await other.close()
      await one.close()
    }
  })

  it('holds one connection while somebody follows, and none before and after', async () => {
    const { knex, storage, close } = await postgres.open({ notify: true })
    const feed = new EventFeed(storage, never)
    try {
      await storage.appendEvents([sampleEvent('a')])
      expect(connectionsInUse(knex)).toBe(0)
      const followers = [start(feed, 0), start(feed, 1)]
      await until(() => followers[0]?.data.length === 1 && connectionsInUse(knex) === 1)
      for (const follower of followers) await follower.end()
      await until(() => connectionsInUse(knex) === 0)
      const again = start(feed, 0)
      await until(() => again.data.length === 1 && connectionsInUse(knex) === 1)
      await storage.close()
      expect(connectionsInUse(knex)).toBe(0)
      await again.end()
    } finally {
      await close()
    }
  })

  it('costs only time when the connection is lost: polls go on, and it is replaced', async () => {
    // Knex would print that a connection was lost.
    const log = { warn() {}, error() {} }
    const name = `follower-${randomBytes(8).toString('hex')}`
    const connection = { connectionString: process.env.TEST_POSTGRES_URL ?? '', application_name: name }
    const one = await postgres.open({ notify: true, host: { log, connection } })
    const other = openAgain(one.place)
    const listeners = async (): Promise<number[]> => {
      const { rows } = await other.knex.raw(
        `select pid from pg_stat_activity where application_name = ? and query like 'listen change_requests_%'`,
        [name],
      )
      return rows.map(({ pid }: { pid: number }) => pid)
    }
    const feed = new EventFeed(one.storage, 50)
    const follower = start(feed, 0)
    try {
      await until(async () => (await listeners()).length === 1)
      const [lost = 0] = await listeners()
      await other.knex.raw('select pg_terminate_backend(?)', [lost])
      await other.storage.appendEvents([sampleEvent('a')])
      await until(() => follower.data.length === 1)
      await until(async () => (await listeners()).some((pid) => pid !== lost))
      await other.storage.appendEvents([sampleEvent('b')])
      await until(() => follower.data.length === 2)
      expect(follower.data).toEqual(['a', 'b'])
    } finally {
      await follower.end()
      await other.close()
      await one.close()
    }
  })
})
