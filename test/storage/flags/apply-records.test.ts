import { knex as createKnex, type Knex } from 'knex'
import type { PoolClient } from 'pg'
import { ChangeRequestError, type FlagEvent } from '../../../src'
import { applyRecords as poolRecords } from '../../../src/storage/handles/postgres'
import { type ApplyRecords, applyRecords } from '../../../src/storage/knex'
import { databases, type OpenDatabase, postgres } from '../../support/databases'
import { caseMappers } from '../../support/databases/case-mappers'
import { openPgPool } from '../../support/databases/handles'
import { hasMariadb, openMariadb } from '../../support/databases/mariadb'
import { isNightly } from '../../support/nightly'

const events: readonly FlagEvent[] = [
  { type: 'feature-environment-enabled', featureName: 'checkout', changeId: 7, data: { text: 'a\u0000 ü "' } },
]

/** A database of flags. */
interface FlagDatabase extends Pick<OpenDatabase, 'knex' | 'close'> {
  /** How to open it again. */
  readonly config: Knex.Config
}

/** How the records and the work reach the database of a test. */
interface Access {
  readonly name: string
  open(): Promise<FlagDatabase>
  records(database: Pick<FlagDatabase, 'knex'>, table?: string): ApplyRecords
  insert(transaction: unknown, name: string): Promise<unknown>
  commit(transaction: unknown): Promise<unknown>
}

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const throughKnex = {
  records: ({ knex }: Pick<FlagDatabase, 'knex'>, table?: string) =>
    applyRecords({ knex, ...(table && { table }) }) as ApplyRecords,
  insert: async (transaction: unknown, name: string) => (transaction as Knex.Transaction)('our_flags').insert({ name }),
  commit: async (transaction: unknown) => (transaction as Knex.Transaction).commit(),
}

async function withoutTables(kind: (typeof databases)[number]) {
  const database = await kind.open({ migrate: false })
  return { ...database, config: database.place.knex as Knex.Config }
}

const accesses: readonly Access[] = [
  ...databases.map((kind) => ({ name: kind.name, open: () => withoutTables(kind), ...throughKnex })),
  ...(isNightly && hasMariadb ? [{ name: 'MariaDB', open: openMariadb, ...throughKnex }] : []),
  {
    name: 'Postgres through pg.Pool',
    open: () => withoutTables(postgres),
    records(database, table) {
      const pool = openPgPool((database as OpenDatabase).place)
      closing.push(() => pool.end())
      return poolRecords({ pool, ...(table && { table }) }) as ApplyRecords
    },
    insert: (client, name) => (client as PoolClient).query('insert into our_flags values ($1)', [name]),
    commit: (client) => (client as PoolClient).query('commit'),
  },
]

async function withFlags(
  database: Pick<FlagDatabase, 'knex'>,
  { records: open, insert }: Pick<Access, 'records' | 'insert'>,
) {
  const { knex } = database
  await knex.schema.createTable('our_flags', (table) => {
    table.string('name').notNullable()
  })
  const records = open(database)
  await records.migrate()
  const work = jest.fn(async (transaction: unknown) => {
    await insert(transaction, 'checkout')
    return events
  })
  const count = async () => (await knex('our_flags')).length
  return { knex, records, work, count }
}

/** What is awaited until the test lets it go on. */
function gate() {
  let open = () => {}
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const pass = () => {
    arrive()
    return opened
  }
  return { arrived, pass, open }
}

const abandoned = {
  name: 'ConflictError',
  message: 'The apply "a1" was reported as not applied and cannot be applied any more. Apply the change request again.',
}

describe.each(accesses)('applyRecords on $name', (access) => {
  let database: FlagDatabase
  beforeAll(async () => {
    database = await access.open()
  })
  afterEach(async () => {
    for (const name of ['our_flags', 'ffcr_apply_records', 'records_of_ours']) {
      await database.knex.schema.dropTableIfExists(name)
    }
  })
  afterAll(() => database.close())

  it('runs the work once, and returns its events for each call', async () => {
    const { records, work, count } = await withFlags(database, access)
    const all = await Promise.all(Array.from({ length: 8 }, () => records.run('a1', work)))
    expect(all).toEqual(Array.from({ length: 8 }, () => events))
    expect(await records.run('a1', work)).toEqual(events)
    expect([await records.outcome('a1'), await records.outcome('a1')]).toEqual([events, events])
    expect([await count(), work.mock.calls.length]).toEqual([1, 1])
    expect(await records.run('a2', work)).toEqual(events)
    expect(await count()).toBe(2)
    expect([await records.run('a3', async () => []), await records.outcome('a3')]).toEqual([[], []])
  })

  it('leaves nothing of work that failed, which can run again', async () => {
    const { records, work, count } = await withFlags(database, access)
    const error = new ChangeRequestError('ConflictError', 'The flag was altered.')
    const failing = records.run('a1', async (transaction) => {
      await work(transaction)
      throw error
    })
    await expect(failing).rejects.toBe(error)
    expect(await count()).toBe(0)
    expect(await records.run('a1', work)).toEqual(events)
  })

  it('rejects an id permanently after it was reported as not applied', async () => {
    const { records, work, count } = await withFlags(database, access)
    expect(await records.outcome('a1')).toBe(null)
    await expect(records.run('a1', work)).rejects.toMatchObject(abandoned)
    await expect(records.run('a1', work)).rejects.toMatchObject(abandoned)
    expect(await records.outcome('a1')).toBe(null)
    expect([await count(), work.mock.calls.length]).toEqual([0, 0])
  })

  it.each([
    ['succeeds', 1],
    ['fails', 0],
  ] as const)('outcome waits for a run in progress, which %s', async (_, applied) => {
    const { records, work, count } = await withFlags(database, access)
    const { arrived, pass, open } = gate()
    const running = records.run('a1', async (transaction) => {
      await work(transaction)
      await pass()
      if (!applied) throw new Error('The connection was lost.')
      return events
    })
    const ended = running.then(
      () => 'applied',
      () => 'failed',
    )
    await arrived
    const outcome = records.outcome('a1')
    open()
    expect(await outcome).toEqual(applied ? events : null)
    expect([await ended, await count()]).toEqual([applied ? 'applied' : 'failed', applied])
    if (!applied) await expect(records.run('a1', work)).rejects.toMatchObject(abandoned)
  })

  it('gives concurrent runs and outcomes one result', async () => {
    const { records, knex } = await withFlags(database, access)
    const ids = Array.from({ length: 20 }, (_, index) => `a${index}`)
    const run = (id: string) =>
      records
        .run(id, async (transaction) => {
          await access.insert(transaction, id)
          return events
        })
        .then(
          () => 'applied',
          (error) => error.name,
        )
    const outcome = async (id: string) => ((await records.outcome(id)) === null ? 'ConflictError' : 'applied')
    const both = await Promise.all(
      ids.map((id, index) => Promise.all(index % 2 ? [run(id), outcome(id)] : [outcome(id), run(id)])),
    )
    const rows = await knex('our_flags').pluck('name')
    expect(both).toEqual(
      ids.map((id) => {
        const expected = rows.includes(id) ? 'applied' : 'ConflictError'
        return [expected, expected]
      }),
    )
  })

  it('rolls back work that does not return a list', async () => {
    const { records, work, count } = await withFlags(database, access)
    const forgetful = records.run('a1', (async (transaction: unknown) => {
      await work(transaction)
    }) as never)
    await expect(forgetful).rejects.toThrow(new TypeError('applyRecords: work must return a list of flag events.'))
    expect([await count(), await records.outcome('a1')]).toEqual([0, null])
  })

  it('does not call an apply abandoned whose work completed the transaction itself', async () => {
    const { records, work, count } = await withFlags(database, access)
    const wrong = records.run('a1', async (transaction) => {
      await work(transaction)
      await access.commit(transaction)
      return events
    })
    const unknown = 'applyRecords: the result is unknown, because work completed the transaction itself.'
    await expect(wrong).rejects.toThrow(unknown)
    expect(await count()).toBe(1)
    await expect(records.outcome('a1')).rejects.toThrow(unknown)
    await expect(records.run('a1', work)).rejects.toThrow(unknown)
    expect(await count()).toBe(1)
  })

  it('rejects what is no applyId', async () => {
    const { records, work } = await withFlags(database, access)
    const message = 'applyRecords: the applyId must be a string of 1 to 100 characters.'
    for (const applyId of ['', 'a'.repeat(101), null, 7]) {
      await expect(records.run(applyId as string, work)).rejects.toThrow(new TypeError(message))
      await expect(records.outcome(applyId as string)).rejects.toThrow(new TypeError(message))
    }
  })

  it('creates its table once, under the name that is given, also if others do', async () => {
    const { knex } = database
    const all = Array.from({ length: 4 }, () => access.records(database, 'records_of_ours'))
    await Promise.all(all.map((records) => records.migrate()))
    const [records] = all
    expect(await records?.run('a1', async () => events)).toEqual(events)
    await records?.migrate()
    expect(await knex('records_of_ours').select('apply_id')).toEqual([{ apply_id: 'a1' }])
    const again = knex('records_of_ours').insert({ apply_id: 'a1', recorded_at: '2026-03-04T12:00:00.000Z' })
    // Not toThrow: errors of the driver are of another realm under Jest.
    await expect(again).rejects.toMatchObject({ message: expect.stringMatching(/unique|duplicate/i) })
  })

  it('reports why the table cannot be created', async () => {
    const { knex } = database
    await knex.schema.createTable('ffcr_apply_records', (table) => {
      table.string('apply_id')
    })
    const message = expect.stringContaining('already exists')
    await expect(access.records(database).migrate()).rejects.toMatchObject({ message })
  })

  it('works with case mappers of a Knex', async () => {
    const mapped = createKnex({ ...database.config, ...caseMappers })
    try {
      const records = applyRecords({ knex: mapped })
      await records.migrate()
      expect(await records.run('a1', async () => events)).toEqual(events)
      expect([await records.outcome('a1'), await records.outcome('a2')]).toEqual([events, null])
      await expect(records.run('a2', async () => events)).rejects.toMatchObject({ name: 'ConflictError' })
    } finally {
      await mapped.destroy()
    }
  })
})

if (isNightly && !hasMariadb) {
  it.skip('applyRecords on MariaDB: install mariadb-server, and npm ci --ignore-scripts --prefix test/nightly', () => {})
}

describe('applyRecords on Postgres', () => {
  it('gives up waiting for a run that takes too long, and lets it finish', async () => {
    const database = await postgres.open({ migrate: false })
    try {
      const { records, work, count } = await withFlags(database, throughKnex)
      const { arrived, pass, open } = gate()
      const running = records.run('a1', async (transaction) => {
        await work(transaction)
        await pass()
        return events
      })
      await arrived
      await expect(records.outcome('a1')).rejects.toMatchObject({ code: '55P03' })
      open()
      expect([await running, await records.outcome('a1'), await count()]).toEqual([events, events, 1])
    } finally {
      await database.close()
    }
  })

  it('uses a table in another schema', async () => {
    const database = await postgres.open({ migrate: false })
    try {
      const { knex, place } = database
      const schema = place.knex.client === 'pg' ? place.knex.searchPath[0] : ''
      const records = applyRecords({ knex, table: `${schema}.records` })
      await records.migrate()
      expect([await records.run('a1', async () => events), await knex('records').pluck('apply_id')]).toEqual([
        events,
        ['a1'],
      ])
    } finally {
      await database.close()
    }
  })
})
