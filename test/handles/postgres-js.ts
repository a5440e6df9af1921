import postgres from 'postgres'
import { fromPostgresJs } from '../../src/storage/handles/orms'
import type { Orm } from '../support/databases/orm-suite'

/** The settings of a session, as `-c name=value …` has them. */
function settingsOf(options = ''): Record<string, string> {
  return Object.fromEntries(
    [...options.matchAll(/-c ([^=\s]+)=(\S*)/g)].map(([, name = '', value = '']) => [name, value]),
  )
}

export const postgresJs: Orm<postgres.TransactionSql> = {
  name: 'postgres.js',
  transactionName: 'a transaction of postgres.js, such as sql.begin(async (sql) => …) provides',
  survivesFailedBegin: false,
  async open({ connectionString = '', max = 10, options }) {
    const sql = postgres(connectionString, {
      max,
      connection: settingsOf(options),
      transform: postgres.pascal,
      onnotice: () => undefined,
    })
    const client = fromPostgresJs(sql)
    const finished = await client.transaction(async (used) => used)
    return {
      client,
      transaction: (run) => sql.begin(run) as ReturnType<typeof run>,
      insertFlag: (transaction, name) => transaction`insert into flags values (${name})`,
      execute: async (transaction, text) => transaction.unsafe(text),
      async onPool(text) {
        await sql.unsafe(text)
      },
      wrong: { 'the instance itself': sql, 'a finished transaction': finished },
      close: () => sql.end({ timeout: 1 }),
    }
  },
}
