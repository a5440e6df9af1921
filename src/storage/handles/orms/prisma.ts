import type { PostgresClient } from '../postgres/access'

/**
 * The part of a Prisma client that {@link fromPrisma} uses.
 *
 * @typeParam Transaction `Prisma.TransactionClient` of your generated client.
 */
export interface PrismaDatabase<Transaction = unknown> {
  /** Connects; not used. */
  $connect(): Promise<void>
  /** Runs `run` in a new interactive transaction. */
  $transaction<Value>(
    run: (transaction: Transaction) => Promise<Value>,
    options?: PrismaTransactionOptions,
  ): Promise<Value>
}

/** The options of an interactive transaction of Prisma. */
export interface PrismaTransactionOptions {
  /** The maximum time to wait for a connection. */
  maxWait?: number
  /** The maximum time of the whole transaction. */
  timeout?: number
  /** The isolation level; by default the one of the database. */
  isolationLevel?: 'ReadCommitted'
}

interface PrismaTransaction {
  $queryRawUnsafe(text: string, ...values: readonly unknown[]): Promise<Readonly<Record<string, unknown>>[]>
}

const expected = 'a PrismaClient of Prisma 7 with a driver adapter for Postgres: new PrismaClient({ adapter })'

/** A transaction has several statements, and each has a time limit of its own. */
const statementsInTime = 12

/**
 * A client for `postgresStorage` on your Prisma client, version 7, with a driver adapter for Postgres.
 *
 * @example
 * ```ts
 * import { PrismaPg } from '@prisma/adapter-pg'
 * import { PrismaClient } from '@prisma/client'
 *
 * const adapter = new PrismaPg({ connectionString: process.env['DATABASE_URL'] })
 * const client = fromPrisma(new PrismaClient({ adapter }))
 * ```
 *
 * @throws TypeError unless it is a Prisma client with a driver adapter for Postgres.
 */
export function fromPrisma<Transaction>(prisma: PrismaDatabase<Transaction>): PostgresClient<Transaction> {
  if (isTransaction(prisma)) throw new TypeError('fromPrisma: give it the client, not one of its transactions.')
  const { $transaction, _engineConfig: config } = ((prisma as unknown) ?? {}) as PrismaInstance
  if (typeof $transaction !== 'function') throw new TypeError(`fromPrisma: give it ${expected}.`)
  const provider = config?.adapter?.provider
  if (provider === undefined) {
    throw new TypeError(`fromPrisma: give it ${expected}. This client has no driver adapter.`)
  }
  if (provider !== 'postgres') {
    throw new TypeError(
      `fromPrisma: give it ${expected}; the adapter of this one is for '${provider}'. ORMs work on Postgres only. For SQLite, use sqliteStorage({ database }).`,
    )
  }
  return {
    portVersion: 1,
    transactionName: 'a transaction of Prisma, such as prisma.$transaction(async (tx) => …) provides',
    isTransaction,
    query: async (transaction, text, values) => ({
      rows: await (transaction as PrismaTransaction).$queryRawUnsafe(text, ...values),
    }),
    // The defaults of Prisma are shorter than the limits of the storage.
    transaction: (run, isolation, statementTimeoutMs = 5_000) =>
      prisma.$transaction(run, {
        maxWait: statementTimeoutMs,
        timeout: statementsInTime * statementTimeoutMs,
        ...(isolation === undefined ? {} : { isolationLevel: 'ReadCommitted' }),
      }),
  }
}

interface PrismaInstance {
  readonly $transaction?: unknown
  readonly _engineConfig?: { readonly adapter?: { readonly provider?: string } }
}

/** A transaction is a client without the methods for the connection. */
function isTransaction(value: unknown): boolean {
  const { $queryRawUnsafe, $connect } = (value ?? {}) as { $queryRawUnsafe?: unknown; $connect?: unknown }
  return typeof $queryRawUnsafe === 'function' && $connect === undefined
}
