import { DataSource, type EntityManager } from 'typeorm'
import { fromTypeorm } from '../../src/storage/handles/orms'
import { type PostgresStorage, postgresStorage } from '../../src/storage/handles/postgres'
import { allData, sampleEvent } from '../../src/testing/samples'
import { postgres } from '../support/databases'
import { typeorm } from './typeorm'

const expected = "a DataSource with `type: 'postgres'`"

describe('fromTypeorm(dataSource)', () => {
  it('gives the storage the type of the transaction', () => {
    const dataSource = new DataSource({ type: 'postgres' })
    const storage: PostgresStorage<EntityManager> = postgresStorage({ client: fromTypeorm(dataSource) })
    // @ts-expect-error: a DataSource is not a transaction.
    expect(() => storage.within(dataSource)).toThrow(TypeError)
  })

  it('is unreachable before initialize()', async () => {
    const storage = postgresStorage({ client: fromTypeorm(new DataSource({ type: 'postgres' })) })
    expect(await storage.health()).toMatchObject({ reachable: false })
  })

  it('rejects a DataSource of SQLite', () => {
    const sqlite = new DataSource({ type: 'better-sqlite3', database: ':memory:' })
    expect(() => fromTypeorm(sqlite)).toThrow(
      new TypeError(
        `fromTypeorm: give it ${expected}; this one has 'better-sqlite3'. ORMs work on Postgres only. For SQLite, use sqliteStorage({ database }).`,
      ),
    )
  })

  it.each([undefined, null, {}, 'postgres', { type: 'postgres' }])('rejects %p', (given) => {
    expect(() => fromTypeorm(given as never)).toThrow(new TypeError(`fromTypeorm: give it ${expected}.`))
  })
})

it('joins the transaction of a QueryRunner', async () => {
  const open = await postgres.open()
  if (open.place.knex.client !== 'pg') throw new Error('The store is not on Postgres.')
  const dataSource = new DataSource({ type: 'postgres', url: open.place.knex.connection })
  await dataSource.initialize()
  const storage = postgresStorage({ client: fromTypeorm(dataSource), ...open.place.storage } as never)
  const runner = dataSource.createQueryRunner()
  try {
    for (const [name, end] of [
      ['kept', 'commitTransaction'],
      ['lost', 'rollbackTransaction'],
    ] as const) {
      await runner.startTransaction()
      await storage.within(runner.manager).appendEvents([sampleEvent(name)])
      await runner[end]()
      expect(() => storage.within(runner.manager)).toThrow(`The transaction must be ${typeorm.transactionName}.`)
    }
    expect(await allData(storage)).toEqual(['kept'])
  } finally {
    await runner.release()
    await storage.close()
    await dataSource.destroy()
    await open.close()
  }
})
