import { checkNode } from '../../../check-node'

export type { PostgresClient } from '../postgres/access'
export { type DrizzleDatabase, fromDrizzle } from './drizzle'
export { fromKysely, type KyselyDatabase, type KyselyTransactionBuilder } from './kysely'
export { fromPostgresJs, type PostgresJs } from './postgres-js'
export { fromPrisma, type PrismaDatabase, type PrismaTransactionOptions } from './prisma'
export { fromTypeorm, type TypeormDataSource } from './typeorm'

checkNode()
