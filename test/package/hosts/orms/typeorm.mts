import { fromTypeorm } from 'express-change-requests/handles'
import { postgresStorage } from 'express-change-requests/postgres'
import { DataSource, EntitySchema } from 'typeorm'
import { applyBoth } from './apply.mjs'

const Flag = new EntitySchema<{ name: string }>({ name: 'flags', columns: { name: { type: 'text', primary: true } } })
const { DATABASE_URL: url = '' } = process.env
const dataSource = new DataSource({ type: 'postgres', url, entities: [Flag] })
await dataSource.initialize()
const storage = postgresStorage({ client: fromTypeorm(dataSource) })

await applyBoth(storage, (manager, name) => manager.insert(Flag, { name }))
await dataSource.destroy()
