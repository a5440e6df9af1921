import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import type { TransactionStorage } from '../../../src/ports/storage/storage'
import { sampleEvent } from '../../../src/testing/samples'
import { enable, startApp } from '../../support/app'
import { type OpenDatabase, postgres } from '../../support/databases'
import { isNightly } from '../../support/nightly'
import { runs } from '../../support/random'
import { expectConsistent } from '../../support/verify/expect-consistent'
import { Gate } from '../support/gate'
import { type OpenHandle, openHandles } from '../support/open-handles'
import { startProxy, type TcpProxy } from '../support/proxy'
import { until } from '../support/server'
import { flags, flaws, readStore } from '../support/store'

const short = { statementTimeoutMs: 500, acquireTimeoutMs: 500 }
const cuts = runs(3)
const rounds = isNightly ? 3 : 1
const handles = isNightly ? openHandles : openHandles.slice(0, 1)

describe.each(handles)('a network that fails between %s and Postgres', (_, openHandle) => {
  let database: OpenDatabase
  let proxy: TcpProxy
  let through: OpenHandle

  beforeEach(async () => {
    database = await postgres.open()
    proxy = await startProxy(new URL(process.env.TEST_POSTGRES_URL ?? ''))
  })
  afterEach(async () => {
    proxy.close()
    await through.close()
    await database.close()
  })

  function start(limits: Partial<typeof short> = {}): OpenHandle {
    const { durability: _, ...options } = database.place.storage
    through = openHandle(proxy.url, { ...options, ...limits })
    return through
  }

  const outcome = (running: Promise<unknown>) =>
    running.then(
      () => 'done',
      (error) => through.storage.failureOf(error) ?? error,
    )
  const write = () => through.storage.appendEvents([sampleEvent('a')])
  const transact = (work: (inside: TransactionStorage) => Promise<void>) =>
    through.storage.transaction((_: unknown, inside) => work(inside))
  /** One call for each kind of statement. */
  const calls = () => {
    const { storage } = through
    return [
      write(),
      storage.eventPage({}, { after: 0 }, 10, false),
      storage.eventPage({ projects: ['shop'] }, { after: 0 }, 10, false),
      storage.nextIds('change', 1),
      storage.findSettings({ project: 'shop', environment: 'production' }),
      storage.consumers?.list() ?? Promise.reject(new Error('There are no consumers.')),
      transact((inside) => inside.appendEvents([sampleEvent('b')])),
    ]
  }

  it('ends every call in time when packets vanish, and all work when they arrive again', async () => {
    const { storage, inUse } = start(short)
    const allWork = async () => (await Promise.all(calls().map(outcome))).every((result) => result === 'done')
    await until(allWork)
    await until(() => inUse() === 0)
    proxy.drop()
    for (let round = 1; round <= rounds; round += 1) {
      for (const failure of await Promise.all(calls().map(outcome))) expect(['unreachable', 'busy']).toContain(failure)
    }
    expect(await storage.health()).toMatchObject({ reachable: false })
    proxy.forward()
    await until(allWork)
    await until(() => inUse() === 0)
  })

  it.each([
    ['BEGIN', 'unreachable'],
    ['COMMIT', 'unreachable'],
    ['ROLLBACK', new Error('of the gateway')],
  ])('ends a transaction in time when %s gets no answer', async (statement, expected) => {
    const { inUse } = start(short)
    const first = (inside: TransactionStorage) => inside.appendEvents([sampleEvent('first')])
    await until(async () => (await outcome(transact(first))) === 'done')
    await until(() => inUse() === 0)
    if (statement === 'BEGIN') proxy.freeze()
    const work = async (inside: TransactionStorage) => {
      await inside.appendEvents([sampleEvent('lost')])
      proxy.freeze()
      if (statement === 'ROLLBACK') throw expected
    }
    expect(await outcome(transact(work))).toEqual(expected)
    expect(inUse()).toBe(0)
    // The server holds the lock of the transaction until it notices.
    proxy.reset()
    await until(async () => (await outcome(write())) === 'done')
  })

  it('returns 503 when a connection no longer responds, and does not use it again', async () => {
    const { storage, again, inUse } = start()
    const [app, hasty] = [await startApp({ storage }), await startApp({ storage: again(short) })]
    await write()
    await until(() => inUse() === 0)
    proxy.freeze()
    const { status, headers, body } = await hasty.propose(enable())
    expect([status, headers['retry-after']]).toEqual([503, '1'])
    expect(body.message).toMatch(/^The database is unreachable/)
    await app.propose(enable()).expect(200)
    for (const { close } of [app, hasty]) await close()
  })

  it(`loses the answer of a commit, and a retry with its key stores nothing again (RUNS=${cuts})`, async () => {
    start()
    const app = await startApp({ storage: through.storage })
    const gate = await Gate.build(database, 'shop')
    const stored: string[] = []
    const lost: string[] = []
    try {
      for (let round = 1; lost.length < cuts; round += 1) {
        expect(round).toBeLessThan(10 * cuts)
        const flag = `flag-${round}`
        const propose = () =>
          app.propose([enable(flag)], { environment: `production-${round}`, headers: { 'Idempotency-Key': flag } })
        await gate.close()
        const answer = propose().then((response) => response)
        await until(async () => (await gate.waiting()) === 1)
        proxy.resetAtAnswer()
        await gate.open()
        const { status, body } = await answer
        stored.push(flag)
        // The proxy may have cut another connection.
        if (status === 200) continue
        expect([status, body.message]).toEqual([503, expect.stringContaining('A write may have succeeded')])
        const retry = await propose()
        expect([retry.status, retry.headers['idempotency-replayed']]).toEqual([200, 'true'])
        lost.push(flag)
      }
    } finally {
      await gate.open()
      await app.close()
    }
    const store = await readStore(database.place.knex)
    expect(flags(store)).toEqual(stored)
    expect(flaws(store)).toEqual([])
    await expectConsistent(database.storage)
  })
})

describe('a server that accepts connections and does not respond', () => {
  let server: Server
  let url: string

  beforeAll(async () => {
    server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `postgres://127.0.0.1:${(server.address() as AddressInfo).port}/none`
  })
  afterAll(() => server.close())

  it.each(openHandles)('is unreachable after the connectionTimeoutMillis of the host: %s', async (_, openHandle) => {
    const { storage, close } = openHandle(url)
    const error = await storage.eventHead({}).catch((thrown) => thrown)
    expect(storage.failureOf(error)).toBe('unreachable')
    await close()
  })
})
