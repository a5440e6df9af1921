import { PrismaPg } from '@prisma/adapter-pg'
import { type Prisma, PrismaClient } from '@prisma/client'
import { Pool } from 'pg'
import { fromPrisma } from '../../../src/storage/handles/orms'
import type { Orm } from '../../support/databases/orm-suite'

export const prisma: Orm<Prisma.TransactionClient> = {
  name: 'Prisma',
  transactionName: 'a transaction of Prisma, such as prisma.$transaction(async (tx) => …) provides',
  survivesFailedBegin: true,
  async open(config) {
    const pool = new Pool(config)
    pool.on('error', () => undefined)
    // The models are in a schema of the adapter, whatever the search path is.
    const schema = /search_path=(\S+)/.exec(config.options ?? '')?.[1] ?? 'public'
    const db = new PrismaClient({ adapter: new PrismaPg(pool, { schema }) })
    return {
      client: fromPrisma(db),
      transaction: (run) => db.$transaction(run),
      insertFlag: (transaction, name) => transaction.flag.create({ data: { name } }),
      execute: (transaction, text) => transaction.$executeRawUnsafe(text),
      onPool: (text) => db.$executeRawUnsafe(text),
      wrong: { 'the client itself': db },
      async close() {
        await db.$disconnect()
        await pool.end()
      },
    }
  },
}
