import { drizzle } from 'drizzle-orm/node-postgres'
import { pgTable, text } from 'drizzle-orm/pg-core'
import { fromDrizzle } from 'express-change-requests/handles'
import { postgresStorage } from 'express-change-requests/postgres'
import { applyBoth } from './apply.mjs'

const flags = pgTable('flags', { name: text().primaryKey() })
const { DATABASE_URL: url = '' } = process.env
const db = drizzle(url, { schema: { flags } })
const storage = postgresStorage({ client: fromDrizzle(db) })

await applyBoth(storage, (tx, name) => tx.insert(flags).values({ name }))
await db.$client.end()
