import type { PostgresClient } from '../postgres/access'

/**
 * The part of a Drizzle database that {@link fromDrizzle} uses.
 *
 * @typeParam Transaction `PgTransaction` of Drizzle, with your schema.
 */
export interface DrizzleDatabase<Transaction = unknown> {
  /** Runs `run` in a new transaction. */
  transaction<Value>(
    run: (transaction: Transaction) => Promise<Value>,
    config?: { isolationLevel?: 'read committed' },
  ): Promise<Value>
}

interface DrizzleTransaction {
  /** Calls `getSQL` and `toQuery` of the query. */
  execute(query: object): Promise<{ readonly rows: Readonly<Record<string, unknown>>[] }>
}

const expected = "a Drizzle database of node-postgres: drizzle({ client: pool }) from 'drizzle-orm/node-postgres'"

/**
 * A client for `postgresStorage` on your Drizzle database of node-postgres with a pool. Drizzle's other drivers for Postgres
 * do not work.
 *
 * @example
 * ```ts
 * import { drizzle } from 'drizzle-orm/node-postgres'
 * import { Pool } from 'pg'
 *
 * const client = fromDrizzle(drizzle({ client: new Pool() }))
 * ```
 *
 * @throws TypeError unless it is a Drizzle database of node-postgres with a pool.
 */
export function fromDrizzle<Transaction>(db: DrizzleDatabase<Transaction>): PostgresClient<Transaction> {
  const primary = (db as { $primary?: unknown } | null | undefined)?.$primary ?? db
  const kinds = kindsOf(primary)
  if (kinds.some((kind) => /sqlite|mysql|singlestore|gel/i.test(kind))) {
    throw new TypeError(
      `fromDrizzle: give it ${expected}; ORMs work on Postgres only. For SQLite, use sqliteStorage({ database }).`,
    )
  }
  if (kinds.includes('PgTransaction')) {
    throw new TypeError('fromDrizzle: give it the database, not one of its transactions.')
  }
  if (!kinds.includes('NodePgDatabase')) throw new TypeError(`fromDrizzle: give it ${expected}.`)
  const { $client } = primary as { readonly $client?: { readonly totalCount?: unknown } }
  if ($client !== undefined && typeof $client.totalCount !== 'number') {
    throw new TypeError(
      'fromDrizzle: give Drizzle a pg.Pool. On a single client, concurrent transactions would be one transaction.',
    )
  }
  return {
    portVersion: 1,
    transactionName: 'a transaction of Drizzle, such as db.transaction(async (tx) => …) provides',
    isTransaction: (value) => kindsOf(value).includes('NodePgTransaction'),
    query: (transaction, text, values) =>
      (transaction as DrizzleTransaction).execute({
        getSQL: () => ({ toQuery: () => ({ sql: text, params: values }) }),
      }),
    transaction: (run, isolation) =>
      isolation === undefined ? db.transaction(run) : db.transaction(run, { isolationLevel: isolation }),
  }
}

/** Drizzle's classes have this name, which also stays the same in minified code, and so do their base classes. */
const entityKind = Symbol.for('drizzle:entityKind')

function kindsOf(value: unknown): string[] {
  const kinds: string[] = []
  if (typeof value !== 'object' || value === null) return kinds
  for (let next = Object.getPrototypeOf(value); next !== null; next = Object.getPrototypeOf(next)) {
    const kind: unknown = next.constructor?.[entityKind]
    if (typeof kind === 'string') kinds.push(kind)
  }
  return kinds
}
