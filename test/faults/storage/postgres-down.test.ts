import { get } from 'node:http'
import { knex as createKnex } from 'knex'
import { Client } from 'pg'
import { knexStorage } from '../../../src/storage/knex'
import { longTimeoutStorage } from '../../support/databases/long-timeouts'
import { isNightly } from '../../support/nightly'
import { expectConsistent } from '../../support/verify/expect-consistent'
import { many } from '../events/events'
import { Load } from '../support/load'
import { type OwnPostgres, type StopMode, startOwnPostgres } from '../support/own-postgres'
import { mark, propose, type Server, startServer, until } from '../support/server'
import { flags, flaws, readStore } from '../support/store'

/** More than the buffers of a connection hold whose client does not read. */
const large = isNightly ? 20_000 : 12_000

describe('a server whose Postgres', () => {
  let postgres: OwnPostgres
  let server: Server

  beforeAll(async () => {
    postgres = await startOwnPostgres()
    server = await startServer({ knex: { client: 'pg', connection: postgres.url }, storage: longTimeoutStorage })
  })

  afterAll(async () => {
    await server?.kill()
    await postgres?.end()
  })

  /** Every response was success or "try again later", nothing acknowledged is lost, nothing is stored twice. */
  async function expectSound(load: Load) {
    expect(load.surprises).toEqual([])
    expect(server.ended()).toBeUndefined()
    const store = await readStore({ client: 'pg', connection: postgres.url })
    const stored = flags(store)
    expect(flaws(store)).toEqual([])
    expect(new Set(stored).size).toBe(stored.length)
    const known = new Set(stored)
    expect(load.acknowledged.filter((flag) => !known.has(flag))).toEqual([])
    const knex = createKnex({ client: 'pg', connection: postgres.url })
    await expectConsistent(knexStorage({ knex, ...longTimeoutStorage })).finally(() => knex.destroy())
  }

  it.each<[string, StopMode]>([
    ['is shut down and started again', 'fast'],
    ['is shut down immediately and started again', 'immediate'],
    ['is killed and started again', 'kill'],
  ])('%s returns 503 with Retry-After meanwhile, recovers without a restart and loses nothing', async (_, mode) => {
    const load = new Load(server, mode)
    await until(() => load.acknowledged.length >= 20)
    await postgres.stop(mode)
    const refused = load.refused
    await until(() => load.refused > refused + 10)
    await postgres.start()
    const { length } = load.acknowledged
    await until(() => load.acknowledged.length > length)
    await until(() => load.acknowledged.length > length + 20)
    await load.end()
    await expectSound(load)
  })

  it('ends the sessions of the server under load returns 200 or 503 and loses nothing', async () => {
    const load = new Load(server, 'terminated')
    for (let time = 1; time <= 5; time += 1) {
      const { length } = load.acknowledged
      await terminate(`application_name = '' and pid <> pg_backend_pid()`)
      await until(() => load.acknowledged.length > length + 10)
    }
    await load.end()
    await expectSound(load)
  })

  it('ends its idle sessions has recovered by the second request', async () => {
    await until(async () => !(await terminate(`application_name = '' and pid <> pg_backend_pid()`)))
    expect([200, 503]).toContain((await propose(server, mark('first-after'))).status)
    expect((await propose(server, mark('second-after'))).status).toBe(200)
  })

  it('ends the session that reads a page ends the list early, so that it does not look complete', async () => {
    await fill()
    const blocker = await connect()
    try {
      const list = await startReading('/api/admin/events?project=large')
      await blocker.query('begin; lock table ffcr_events in access exclusive mode')
      list.resume()
      await until(() => terminate(`wait_event_type = 'Lock'`))
      const { complete, text } = await list.ended
      expect(complete).toBe(false)
      expect(text.startsWith('{"version":1,"events":[{"id":')).toBe(true)
      expect(() => JSON.parse(text)).toThrow(SyntaxError)
    } finally {
      await blocker.end()
    }
    expect(server.ended()).toBeUndefined()
    const whole = await (await fetch(`${server.url}/api/admin/events?project=large`)).text()
    expect(JSON.parse(whole).events).toHaveLength(large)
  })

  async function connect(): Promise<Client> {
    const client = new Client({ connectionString: postgres.url, application_name: 'test' })
    await client.connect()
    return client
  }

  /** Returns whether there was such a session. */
  async function terminate(condition: string): Promise<boolean> {
    const client = await connect()
    const { rows } = await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and ${condition}`,
    )
    await client.end()
    return rows.length > 0
  }

  async function fill(): Promise<void> {
    const knex = createKnex({ client: 'pg', connection: postgres.url })
    for (let first = 0; first < large; first += 500) {
      await knexStorage({ knex }).appendEvents(many('large', first, 500))
    }
    await knex.destroy()
  }

  /** Reads the first chunk, then pauses until it is resumed. */
  function startReading(path: string) {
    return new Promise<{ resume(): void; ended: Promise<{ complete: boolean; text: string }> }>((resolve, reject) => {
      get(server.url + path, (answer) => {
        const chunks: Buffer[] = []
        const ended = new Promise<{ complete: boolean; text: string }>((end) => {
          answer.on('error', () => undefined)
          answer.on('close', () => end({ complete: answer.complete, text: Buffer.concat(chunks).toString() }))
        })
        answer.once('data', (chunk) => {
          chunks.push(chunk)
          answer.pause()
          answer.on('data', (more) => chunks.push(more))
          answer.pause()
          resolve({ resume: () => answer.resume(), ended })
        })
      }).on('error', reject)
    })
  }
})
