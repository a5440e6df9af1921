import { randomBytes } from 'node:crypto'
import { type FeedStep, subscribe } from '../../../src/capabilities/log/subscribe'
import { Cancellation } from '../../../src/kernel/log/cancellation'
import { EventFeed } from '../../../src/kernel/log/event-feed'
import type { LogPosition } from '../../../src/kernel/log/position'
import { sampleEvent } from '../../../src/testing/samples'
import { until } from '../../faults/support/server'
import { databases, openAgain, postgres } from '../../support/databases'
import { connectionsInUse } from '../../support/databases/pool'

/** Longer than a test, so nothing that arrives earlier comes from a poll. */
const never = 2 ** 31 - 1
const limits = { heartbeatMs: never, followMs: never }

interface Following {
  readonly data: unknown[]
  readonly steps: { position: number; events: number }[]
  end(): Promise<void>
}

function start(feed: EventFeed, from: LogPosition): Following {
  const cancellation = new Cancellation()
  const data: unknown[] = []
  const steps: Following['steps'] = []
  const take = ({ page, position }: FeedStep) => {
    steps.push({ position: position.id, events: page?.count ?? 0 })
    if (page === undefined) return
    for (const event of JSON.parse(`[${Buffer.from(page.json)}]`)) data.push(event.data)
  }
  const running = (async () => {
    const subscription = { filter: {}, grouped: false, from, cancellation }
    for await (const step of subscribe(feed, subscription, limits, (each) => each)) take(step)
  })()
  return {
    data,
    steps,
    end() {
      cancellation.cancel()
      return running
    },
  }
}

describe.each(databases)('a follower on $name', ({ open }) => {
  it('is notified immediately when a transaction with events is committed', async () => {
    const { knex, storage, close } = await open()
    const feed = new EventFeed(storage, never)
    const follower = start(feed, await feed.readNewest())
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
  it('notifies a follower immediately of a write of another process, also in a transaction of its host', async () => {
    const one = await postgres.open({ notify: true })
    const other = openAgain(one.place)
    const feed = new EventFeed(one.storage, never)
    const follower = start(feed, { id: 0, fingerprint: '' })
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

  it('holds one connection while there is a follower, and none before and after', async () => {
    const { knex, storage, close } = await postgres.open({ notify: true })
    const feed = new EventFeed(storage, never)
    try {
      await storage.appendEvents([sampleEvent('a')])
      // The storage also checks whether the index of events needs a new block.
      await until(() => connectionsInUse(knex) === 0)
      const followers = [start(feed, { id: 0, fingerprint: '' }), start(feed, { id: 1, fingerprint: '' })]
      await until(() => followers[0]?.data.length === 1 && connectionsInUse(knex) === 1)
      for (const follower of followers) await follower.end()
      await until(() => connectionsInUse(knex) === 0)
      const again = start(feed, { id: 0, fingerprint: '' })
      await until(() => again.data.length === 1 && connectionsInUse(knex) === 1)
      await storage.close()
      // The follower may be polling.
      await until(() => connectionsInUse(knex) === 0)
      await again.end()
    } finally {
      await close()
    }
  })

  it('keeps polling when the connection is lost, and replaces it', async () => {
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
    const follower = start(feed, { id: 0, fingerprint: '' })
    try {
      await until(async () => (await listeners()).length === 1)
      const [killed = 0] = await listeners()
      await other.knex.raw('select pg_terminate_backend(?)', [killed])
      await other.storage.appendEvents([sampleEvent('a')])
      await until(() => follower.data.length === 1)
      await until(async () => (await listeners()).some((pid) => pid !== killed))
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
