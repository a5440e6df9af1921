import { must, type OptionTable, optional } from '../../../check-options'
import type { StorageProblem } from '../../../ports/storage/storage'
import type { PostgresHandle } from '../../sql/postgres/handle'
import { clientHandle, type Limits } from './client'
import type { PostgresClient, PostgresPool } from './host'
import { poolHandle } from './pool'

/**
 * How to reach the database: `pool` or `client`.
 *
 * @typeParam Transaction The transaction object of the host app: `PoolClient` with a `pg.Pool`.
 */
export interface PostgresAccess<Transaction = unknown> {
  /** The host app's `pg.Pool`. It is never ended. */
  readonly pool?: PostgresPool<Transaction>
  /** Instead of `pool`: another library, such as `fromKysely(db)`. `preparedStatements` and `notify` then do not apply. */
  readonly client?: PostgresClient<Transaction>
}

/** The checks of the options `pool` and `client`. */
export function accessTable<Transaction>(): OptionTable<PostgresAccess<Transaction>> {
  return {
    pool: (pool, { client }) => {
      if (client !== undefined) return pool === undefined ? undefined : 'left out with `client`'
      return isPool(pool) ? undefined : 'a pg.Pool, or left out with `client`'
    },
    client: optional(must(isClient, 'a client such as fromKysely(db) returns, with `portVersion: 1`')),
  }
}

/** @param report receives problems of the pool; the gateways have nobody to report to */
export function openHandle<Transaction>(
  { pool, client }: PostgresAccess<Transaction>,
  limits: Limits,
  report: (problem: StorageProblem) => void = () => undefined,
): PostgresHandle<Transaction> {
  return client === undefined
    ? poolHandle(pool as PostgresPool<Transaction>, limits, report)
    : clientHandle(client, limits, report)
}

/** A client of pg has `connect` and `query`, too. */
function isPool(value: unknown): boolean {
  const { connect, totalCount } = (value ?? {}) as { connect?: unknown; totalCount?: unknown }
  return typeof connect === 'function' && typeof totalCount === 'number'
}

function isClient(value: unknown): boolean {
  const { portVersion, query, transaction, isTransaction } = (value ?? {}) as Partial<PostgresClient>
  const methods = [query, transaction, isTransaction]
  return portVersion === 1 && methods.every((method) => typeof method === 'function')
}

/** The maximum number of connections of the pool, if it is known. */
export function poolSize({ pool }: PostgresAccess): number | undefined {
  return (pool as { readonly options?: { readonly max?: number } } | null | undefined)?.options?.max
}
