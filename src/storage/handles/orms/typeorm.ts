import type { PostgresClient } from '../postgres/access'

/**
 * The part of a TypeORM DataSource that {@link fromTypeorm} uses.
 *
 * @typeParam Manager `EntityManager` of TypeORM.
 */
export interface TypeormDataSource<Manager = unknown> {
  /** The entity manager outside of transactions. */
  readonly manager: Manager
  /** The options of the DataSource. */
  readonly options: object
  /** Runs `run` in a new transaction. */
  transaction<Value>(run: (manager: Manager) => Promise<Value>): Promise<Value>
  /** The same, of this isolation level. */
  transaction<Value>(isolation: 'READ COMMITTED', run: (manager: Manager) => Promise<Value>): Promise<Value>
}

interface QueryRunner {
  readonly isTransactionActive: boolean
  readonly isReleased: boolean
  query(
    text: string,
    values: readonly unknown[],
    structured: true,
  ): Promise<{ readonly records: Readonly<Record<string, unknown>>[] }>
}

interface TransactionManager {
  readonly queryRunner: QueryRunner
}

const expected = "a DataSource with `type: 'postgres'`"

/**
 * A client for `postgresStorage` on your TypeORM DataSource.
 *
 * @example
 * ```ts
 * import { DataSource } from 'typeorm'
 *
 * const dataSource = new DataSource({ type: 'postgres' })
 * await dataSource.initialize()
 * const client = fromTypeorm(dataSource)
 * ```
 *
 * @throws TypeError unless it is a DataSource for Postgres.
 */
export function fromTypeorm<Manager>(dataSource: TypeormDataSource<Manager>): PostgresClient<Manager> {
  const given = dataSource as Partial<TypeormDataSource<Manager>> | null | undefined
  const type = (given?.options as { readonly type?: unknown } | undefined)?.type
  if (typeof given?.transaction !== 'function' || typeof type !== 'string') {
    throw new TypeError(`fromTypeorm: give it ${expected}.`)
  }
  if (type !== 'postgres') {
    throw new TypeError(
      `fromTypeorm: give it ${expected}; this one has '${type}'. ORMs work on Postgres only. For SQLite, use sqliteStorage({ database }).`,
    )
  }
  return {
    portVersion: 1,
    transactionName:
      'an EntityManager with an open transaction, such as dataSource.transaction(async (manager) => …) provides',
    isTransaction,
    // Without the third argument, the form of the result depends on the statement.
    query: async (manager, text, values) => {
      const { records } = await (manager as TransactionManager).queryRunner.query(text, values, true)
      return { rows: records }
    },
    transaction: (run, isolation) =>
      isolation === undefined ? dataSource.transaction(run) : dataSource.transaction('READ COMMITTED', run),
  }
}

function isTransaction(value: unknown): boolean {
  const runner = (value as Partial<TransactionManager> | null | undefined)?.queryRunner
  return runner?.isTransactionActive === true && !runner.isReleased
}
