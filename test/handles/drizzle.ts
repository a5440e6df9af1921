import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { pgTable, text } from 'drizzle-orm/pg-core'
import { fromDrizzle } from '../../src/storage/handles/orms'
import { guardedPool } from '../support/databases/handles'
import type { Orm } from '../support/databases/orm-suite'

const flags = pgTable('flags', { name: text().primaryKey() })

type Database = ReturnType<typeof openDatabase>
export type DrizzleTransaction = Parameters<Parameters<Database['transaction']>[0]>[0]

function openDatabase(client: ReturnType<typeof guardedPool>) {
  return drizzle({ client, schema: { flags } })
}

export const drizzleOrm: Orm<DrizzleTransaction> = {
  name: 'Drizzle',
  transactionName: 'a transaction of Drizzle, such as db.transaction(async (tx) => …) provides',
  survivesFailedBegin: false,
  async open(config) {
    const pool = guardedPool(config)
    const db = openDatabase(pool)
    return {
      client: fromDrizzle(db),
      transaction: (run) => db.transaction(run),
      insertFlag: (transaction, name) => transaction.insert(flags).values({ name }),
      execute: async (transaction, statement) => transaction.execute(sql.raw(statement)),
      async onPool(text) {
        const connection = await pool.connect()
        try {
          await connection.query(text)
        } finally {
          connection.release()
        }
      },
      wrong: { 'the database itself': db, 'the pool': pool },
      close: () => pool.end(),
    }
  },
}
