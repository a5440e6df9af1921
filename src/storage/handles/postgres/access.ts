import { checkOption } from '../../../check-options'
import type { StorageProblem } from '../../../ports/storage/storage'
import type { PostgresHandle } from '../../sql/postgres/handle'
import { clientHandle, type Limits } from './client'
import type { PostgresClient, PostgresPool } from './host'
import { poolHandle } from './pool'

/**
 * How to reach the database: `pool` or `client`.
 *
 * @typeParam Transaction The transaction object of the host app: `PoolClient` with a `pg.Pool`.
 *
 * @example
 * ```ts
 * import { Pool, type PoolClient } from 'pg'
 *
 * const access: PostgresAccess<PoolClient> = { pool: new Pool() }
 * ```
 */
export interface PostgresAccess<Transaction = unknown> {
  /** The host app's `pg.Pool`. It is never ended. */
  readonly pool?: PostgresPool<Transaction>
  /** Instead of `pool`: another library, such as `fromKysely(db)`. `preparedStatements` and `notify` then do not apply. */
  readonly client?: PostgresClient<Transaction>
}

export const accessOptions = ['pool', 'client'] as const satisfies readonly (keyof PostgresAccess)[]

/**
 * @param report receives problems of the pool; the gateways have nobody to report to.
 * @throws TypeError unless there is either a pool or a client
 */
export function openHandle<Transaction>(
  owner: string,
  { pool, client }: PostgresAccess<Transaction>,
  limits: Limits,
  report: (problem: StorageProblem) => void = () => undefined,
): PostgresHandle<Transaction> {
  if (client === undefined) {
    checkOption(owner, 'pool', isPool(pool), 'a pg.Pool, or left out with `client`')
    return poolHandle(pool, limits, report)
  }
  checkOption(owner, 'pool', pool === undefined, 'left out with `client`')
  checkOption(owner, 'client', isClient(client), 'a client such as fromKysely(db) returns, with `portVersion: 1`')
  return clientHandle(client, limits, report)
}

/** A client of pg has `connect` and `query`, too. */
function isPool<Transaction>(value: unknown): value is PostgresPool<Transaction> {
  const { connect, totalCount } = (value ?? {}) as { connect?: unknown; totalCount?: unknown }
  return typeof connect === 'function' && typeof totalCount === 'number'
}

function isClient(value: Partial<PostgresClient> | null): boolean {
  const methods = [value?.query, value?.transaction, value?.isTransaction]
  return value?.portVersion === 1 && methods.every((method) => typeof method === 'function')
}

/** The maximum number of connections of the pool, if it is known. */
export function poolSize({ pool }: PostgresAccess): number | undefined {
  return (pool as { readonly options?: { readonly max?: number } } | null | undefined)?.options?.max
}
