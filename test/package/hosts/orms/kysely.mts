import { fromKysely } from 'express-change-requests/handles'
import { postgresStorage } from 'express-change-requests/postgres'
import { Kysely, PostgresDialect } from 'kysely'
import { Pool } from 'pg'
import { applyBoth } from './apply.mjs'

interface DB {
  flags: { name: string }
}

const { DATABASE_URL: url = '' } = process.env
const db = new Kysely<DB>({
  dialect: new PostgresDialect({ pool: new Pool({ connectionString: url }) }),
})
const storage = postgresStorage({ client: fromKysely(db) })

await applyBoth(storage, (trx, name) => trx.insertInto('flags').values({ name }).execute())
await db.destroy()
