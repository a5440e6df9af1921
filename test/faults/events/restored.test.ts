import { knex as createKnex, type Knex } from 'knex'
import type { EventRow } from '../../../src/ports/storage/events'
import type { Storage } from '../../../src/ports/storage/storage'
import { createKnexStorage } from '../../../src/storage/knex/storage'
import { migrations } from '../../../src/storage/sql/migrations'
import type { TestApp } from '../../support/app'
import { longTimeoutStorage } from '../../support/databases/long-timeouts'
import { type Answer, asAdmin, ask, loggedEvent, questions, startLogApp } from '../../support/events/log-questions'
import { type OwnPostgres, startOwnPostgres } from '../support/own-postgres'
import { until } from '../support/server'

const blockSize = 32
const copied = 400
const written = 2_400
const last = copied + written

const quiet = () => undefined
const silent = { debug: quiet, warn: quiet, error: quiet, deprecate: quiet }

interface Process {
  readonly app: TestApp
  readonly storage: Storage
  readonly knex: Knex
  readonly errors: string[]
  close(): Promise<void>
}

/** After the copy: events with the same ids and the same counts, but with the projects swapped. */
function later(label: 'lost' | 'kept'): EventRow[] {
  return Array.from({ length: written }, (_, index) => {
    const number = copied + index
    // The newest events of each scope have the same ids in both logs.
    const isSwapped = label === 'kept' && index < written - 40
    const project = (number % 2 === 0) === isSwapped ? 'secret' : 'shop'
    const row = loggedEvent(isSwapped ? number + 1 : number, project, label)
    if (index % 100 === 0) return { ...row, changeRequestId: 1 }
    return isSwapped && index % 100 === 1 ? { ...row, createdByUserId: 99 } : row
  })
}

describe('a process whose Postgres was restored to an earlier state', () => {
  let postgres: OwnPostgres
  const processes: Process[] = []

  /** A process with its own caches. */
  async function start(): Promise<Process> {
    const knex = createKnex({ client: 'pg', connection: postgres.url, pool: { min: 0, max: 3 }, log: silent })
    const storage = createKnexStorage({ knex, ...longTimeoutStorage }, migrations, blockSize)
    const errors: string[] = []
    const logger = { debug: quiet, info: quiet, warn: quiet, error: (_: object, text: string) => errors.push(text) }
    const app = await startLogApp(storage, { logger })
    const close = async () => {
      await app.close()
      await knex.destroy()
    }
    const started = { app, storage, knex, errors, close }
    processes.push(started)
    return started
  }

  async function append({ storage, knex }: Process, rows: readonly EventRow[]): Promise<void> {
    for (let first = 0; first < rows.length; first += 200) await storage.appendEvents(rows.slice(first, first + 200))
    await until(async () => {
      const { sealed_to, newest } = await knex('ffcr_event_index')
        .select('sealed_to', knex('ffcr_events').max('id').as('newest'))
        .first()
      return Number(newest) - Number(sealed_to) <= blockSize
    })
  }

  const old = new Map<string, { readonly process: Process; readonly before: Answer }>()
  let fresh: Process
  const key = { headers: { 'Idempotency-Key': 'once' }, key: asAdmin.Authorization }
  const propose = ({ app }: Process, feature: string, place = {}) =>
    app.propose(
      { action: 'updateEnabled', feature, payload: { enabled: true } },
      { key: asAdmin.Authorization, ...place },
    )

  beforeAll(async () => {
    postgres = await startOwnPostgres()
    const writer = await start()
    await writer.app.router.migrate()
    await append(
      writer,
      Array.from({ length: copied }, (_, number) =>
        loggedEvent(number, number % 2 === 0 ? 'secret' : 'shop', 'copied'),
      ),
    )
    await propose(writer, 'before')
    await postgres.stop('fast')
    await postgres.copy()
    await postgres.start()

    await append(writer, later('lost'))
    for (const question of questions) {
      const process = await start()
      old.set(question.name, { process, before: await ask(process.app, question, { head: last }) })
    }
    await propose(writer, 'lost', { ...key, project: 'lost' })
    await postgres.stop('fast')
    await postgres.restore()
    await postgres.start()

    fresh = await start()
    await append(fresh, later('kept'))
  })
  afterAll(async () => {
    for (const { close } of processes) await close()
    await postgres?.end()
  })

  it.each(questions)('responds to the first request for $name like a new process', async (question) => {
    const { process, before } = old.get(question.name) as { process: Process; before: Answer }
    const answer = await ask(process.app, question, { head: last, tag: before.tag })
    const expected = await ask((await start()).app, question, { head: last })

    expect([answer.status, answer]).toEqual([200, expected])
    expect(answer.text).not.toBe(before.text)
    expect(question.headers.Authorization === asAdmin.Authorization || !answer.text.includes('secret')).toBe(true)
    expect(process.errors.length).toBeLessThanOrEqual(1)
  })

  it('logs it once if it had read the index', async () => {
    const [search, several] = ['a search by type', 'a search by type and creator'].map((name) => old.get(name)?.process)
    for (const question of questions) await ask((search as Process).app, question, { head: last })

    expect(search?.errors).toEqual([expect.stringMatching(/^The database was restored to an earlier state/)])
    expect(several?.errors).toHaveLength(1)
    expect(fresh.errors).toEqual([])
  })

  it('returns no change requests, settings or idempotency keys that no longer exist', async () => {
    const process = processes[0] as Process
    const { status, headers } = await propose(process, 'again', { ...key, project: 'lost' })
    expect([status, headers['idempotency-replayed']]).toEqual([200, undefined])
    expect(process.errors).toEqual([])
  })
})
