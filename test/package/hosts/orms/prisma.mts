import { PrismaPg } from '@prisma/adapter-pg'
import { PrismaClient } from '@prisma/client'
import { fromPrisma } from 'express-change-requests/handles'
import { postgresStorage } from 'express-change-requests/postgres'
import { applyBoth } from './apply.mjs'

const { DATABASE_URL: connectionString = '', PGOPTIONS = '' } = process.env
const [, schema = ''] = PGOPTIONS.split('search_path=')
const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString }, { schema }) })
const storage = postgresStorage({ client: fromPrisma(prisma) })

await applyBoth(storage, (transaction, name) => transaction.flag.create({ data: { name } }))
await prisma.$disconnect()
