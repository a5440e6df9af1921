import { knex as createKnex, type Knex } from 'knex'
import type { EventRow } from '../../../src/ports/storage/events'
import type { Storage } from '../../../src/ports/storage/storage'
import { createKnexStorage } from '../../../src/storage/knex/storage'
import { migrations } from '../../../src/storage/sql/migrations'
import type { TestApp } from '../../support/app'
import { longTimeoutStorage } from '../../support/databases/long-timeouts'
import { type Answer, asAdmin, ask, loggedEvent, questions, startLogApp } from '../../support/events/log-questions'
import { type OwnPostgres, startOwnPostgres } from '../support/own-postgres'

const copied = 100
const written = 400
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
    const storage = createKnexStorage({ knex, ...longTimeoutStorage }, migrations)
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

  async function append({ storage }: Process, rows: readonly EventRow[]): Promise<void> {
    for (let first = 0; first < rows.length; first += 200) await storage.appendEvents(rows.slice(first, first + 200))
  }

  const before = new Map<string, Answer>()
  let asked: Process
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
    asked = await start()
    for (const question of questions) before.set(question.name, await ask(asked.app, question, { head: last }))
    await propose(writer, 'lost', { ...key, project: 'lost' })
    await postgres.stop('fast')
    await postgres.restore()
    await postgres.start()

    await append(await start(), later('kept'))
  })
  afterAll(async () => {
    for (const { close } of processes) await close()
    await postgres?.end()
  })

  it.each(questions)('responds to the first request for $name like a new process', async (question) => {
    const { tag, text } = before.get(question.name) as Answer
    const answer = await ask(asked.app, question, { head: last, tag })
    const expected = await ask((await start()).app, question, { head: last })

    expect([answer.status, answer]).toEqual([200, expected])
    expect(answer.text).not.toBe(text)
    expect(question.headers.Authorization === asAdmin.Authorization || !answer.text.includes('secret')).toBe(true)
    expect(asked.errors).toEqual([])
  })

  it('returns no change requests, settings or idempotency keys that no longer exist', async () => {
    const process = processes[0] as Process
    const { status, headers } = await propose(process, 'again', { ...key, project: 'lost' })
    expect([status, headers['idempotency-replayed']]).toEqual([200, undefined])
    expect(process.errors).toEqual([])
  })
})
