import { CamelCasePlugin, CompiledQuery, Kysely, type KyselyPlugin, PostgresDialect, type Transaction } from 'kysely'
import { fromKysely } from '../../../../src/storage/handles/orms'
import { guardedPool } from '../../../support/databases/handles'
import type { Orm } from '../../../support/databases/orm-suite'

interface DB {
  flags: { name: string }
}

/** A plugin that would hide the columns of the storage. */
const renaming: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  transformResult: async ({ result }) => ({
    ...result,
    rows: result.rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [`my_${name}`, value])),
    ),
  }),
}

export const kysely: Orm<Transaction<DB>> = {
  name: 'Kysely',
  transactionName: 'a Transaction of Kysely, such as db.transaction().execute(async (trx) => …) provides',
  survivesFailedBegin: true,
  async open(config) {
    const pool = guardedPool(config)
    const committed = async (db: Kysely<DB>) => {
      const transaction = await db.startTransaction().execute()
      await transaction.commit().execute()
      return transaction
    }
    const rolledBack = async (db: Kysely<DB>) => {
      const transaction = await db.startTransaction().execute()
      await transaction.rollback().execute()
      return transaction
    }
    const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }), plugins: [new CamelCasePlugin(), renaming] })
    return {
      client: fromKysely(db),
      transaction: (run) => db.transaction().execute(run),
      insertFlag: (transaction, name) => transaction.insertInto('flags').values({ name }).execute(),
      execute: (transaction, text) => transaction.executeQuery(CompiledQuery.raw(text)),
      async onPool(text) {
        const connection = await pool.connect()
        try {
          await connection.query(text)
        } finally {
          connection.release()
        }
      },
      wrong: {
        'the Kysely itself': db,
        'the pool': pool,
        'a committed transaction': await committed(db),
        'a transaction that is rolled back': await rolledBack(db),
      },
      async close() {
        await db.destroy()
        // A Kysely that nobody has used has not destroyed its pool.
        if (!pool.ending) await pool.end()
      },
    }
  },
}
