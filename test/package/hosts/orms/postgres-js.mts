import { fromPostgresJs } from 'express-change-requests/handles'
import { postgresStorage } from 'express-change-requests/postgres'
import postgres from 'postgres'
import { applyBoth } from './apply.mjs'

const { DATABASE_URL: url = '', PGOPTIONS = '' } = process.env
const [, search_path = ''] = PGOPTIONS.split('search_path=')
const sql = postgres(url, { connection: { search_path } })
const storage = postgresStorage({ client: fromPostgresJs(sql) })

await applyBoth(storage, async (transaction, name) => transaction`insert into flags values (${name})`)
await sql.end()
