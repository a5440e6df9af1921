import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import type { Storage } from '../../../src'
import { until } from '../../faults/support/server'
import { enable, people, startApp, type TestApp } from '../../support/app'
import { type OpenDatabase, postgres } from '../../support/databases'

const total = 20_000
const pageSize = 500
/** Long enough that the list is much larger than the buffers of sockets. */
const filler = 'x'.repeat(400)

const path = '/api/admin/events?project=big'
const headers = { Authorization: people.ann.key }

function read(app: TestApp): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port: app.port, path, headers, agent: false }, resolve).on('error', reject)
  })
}

/** Waits until `value` is the same in three successive reads. */
async function settled(value: () => number): Promise<number> {
  for (let seen = -1, times = 0; ; ) {
    const now = value()
    times = now === seen ? times + 1 : 0
    if (times === 3) return now
    seen = now
    await setTimeout(50)
  }
}

describe('GET /api/admin/events of a large project', () => {
  let database: OpenDatabase
  let storage: Storage
  let app: TestApp
  let pages = 0
  let failAt = Number.POSITIVE_INFINITY
  const broken: string[] = []

  const logger = {
    debug() {},
    info() {},
    warn() {},
    error: (_facts: object, message: string) => void broken.push(message),
  }

  beforeAll(async () => {
    database = await postgres.open({ pool: { min: 0, max: 1 } })
    storage = {
      ...database.storage,
      eventPage(scope, cursor, limit) {
        pages += 1
        if (pages === failAt) throw new Error('select body from ffcr_events: connection lost at $1')
        return database.storage.eventPage(scope, cursor, limit)
      },
    }
    app = await startApp({ storage, logger })
    const events = Array.from({ length: 1000 }, () => ({
      type: 'feature-updated' as const,
      project: 'big',
      data: { filler, ключ: 'значение' },
    }))
    for (let written = 0; written < total; written += events.length) await app.router.events.record(events)
  })

  beforeEach(() => {
    pages = 0
    failAt = Number.POSITIVE_INFINITY
    broken.length = 0
  })

  afterAll(async () => {
    await app.close()
    await database.close()
  })

  it('is valid JSON with exactly those events, read page by page', async () => {
    const answer = await read(app)
    expect(answer.statusCode).toBe(200)
    const { events, totalEvents } = JSON.parse(await text(answer))
    expect(totalEvents).toBe(total)
    expect(events.map(({ id }: { id: number }) => id)).toEqual(
      Array.from({ length: total }, (_, index) => total - index),
    )
    expect(events[total - 1].data).toEqual({ filler, ключ: 'значение' })
    expect(pages).toBeGreaterThanOrEqual(total / pageSize)
  })

  it('stops reading pages when the client leaves in the middle', async () => {
    const answer = await read(app)
    await once(answer, 'data')
    answer.destroy()
    expect(await settled(() => pages)).toBeLessThan(total / pageSize)
    expect(broken).toEqual([])
  })

  it('waits for a slow reader, holds no connection for it, and serves other requests', async () => {
    const slow = await read(app)
    slow.pause()
    const { pool } = database.knex.client
    await until(() => pool.numUsed() === 0 && pool.numPendingAcquires() === 0)
    expect(await settled(() => pages)).toBeLessThan(total / pageSize)

    expect((await app.propose(enable(), { project: 'other' })).status).toBe(200)
    expect((await app.events()).body.events).toHaveLength(100)
    expect(JSON.parse(await text(slow)).events).toHaveLength(total)
  })

  it('returns the events from its start, without those written while it is read', async () => {
    const slow = await read(app)
    slow.pause()
    await app.router.events.record({ type: 'feature-archived', project: 'big' })
    const list = JSON.parse(await text(slow))
    const tail = await app.events('?project=big')
    expect(tail.body.totalEvents).toBe(list.totalEvents + 1)
    expect(list.events).toHaveLength(list.totalEvents)
    expect(tail.body.events[0].type).toBe('feature-archived')
  })

  it('closes the connection when a later page fails, so that a partial list does not look complete', async () => {
    failAt = 3
    const answer = await read(app)
    expect(answer.statusCode).toBe(200)
    const chunks: Buffer[] = []
    answer.on('data', (chunk: Buffer) => chunks.push(chunk))
    await expect(once(answer, 'end')).rejects.toMatchObject({ code: 'ECONNRESET' })
    const cut = Buffer.concat(chunks).toString()
    expect(answer.complete).toBe(false)
    expect(() => JSON.parse(cut)).toThrow(SyntaxError)
    expect(cut).not.toContain('ffcr_events')
    expect(broken).toEqual(['A response failed after its headers were sent; its connection is closed.'])
    expect((await app.events()).status).toBe(200)
  })

  it('returns an error when the first page fails, without the ETag of the list', async () => {
    failAt = 1
    const answer = await read(app)
    const body = JSON.parse(await text(answer))
    expect([answer.statusCode, body.name]).toEqual([500, 'UnknownError'])
    expect(JSON.stringify(body)).not.toContain('ffcr_events')
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store' })
    expect(answer.headers).not.toHaveProperty('etag')
  })

  it('closes the connection of a client that reads nothing for limits.streamTimeoutMs', async () => {
    const impatient = await startApp({ storage, limits: { streamTimeoutMs: 100 } })
    const connections = () =>
      new Promise<number>((resolve) => impatient.server.getConnections((_error, count) => resolve(count)))
    const stalled = await read(impatient)
    try {
      stalled.pause()
      await until(async () => (await connections()) === 0)
      expect(await settled(() => pages)).toBeLessThan(total / pageSize)
      await expect(text(stalled)).rejects.toMatchObject({ code: 'ECONNRESET' })
    } finally {
      stalled.destroy()
      await impatient.close()
    }
  })
})
