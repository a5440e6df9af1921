import type { Outcome } from '../database/batched'
import type { Entry } from '../database/database'
import { constraintOf, LostRowsError } from '../database/failures'
import { StandbyError } from '../database/schema'
import { countChanges } from '../queries/state-counts'
import type { StoredTexts } from '../queries/stored-texts'
import { actionOf, type CommitNeeds, commitStatement, hasLostRows, parameters } from './commit'
import { idempotencyKey, isRare } from './commit-rare'
import type { PostgresConnections, PostgresOptions } from './connection'
import type { PostgresConnection } from './handle'
import { notification } from './notify'
import { rejectUsed, unusedColumn } from './open-transaction'

type CommitText = (needs: CommitNeeds) => string

type Entries = readonly Entry[]

/** The constraints that reject a write because another was faster: of the idempotency key and of open requests. */
export function raceConstraints({ names }: Pick<PostgresOptions, 'names'>): string[] {
  return [idempotencyKey(names), names.index('change_requests_open').slice(1, -1)]
}

export function entryWriter(
  options: Omit<PostgresOptions, 'handle'>,
  { query }: Pick<PostgresConnections, 'query'>,
  storedTexts: StoredTexts,
) {
  const notify = options.notify ? [notification(options.names)] : []
  const limit = `set_config('lock_timeout', '${options.lockTimeoutMs}', true)`
  const ownCommit = commitTexts(options, [limit, ...notify])
  // In a transaction of the host app, the time limits of the host app apply.
  const joinedCommit = commitTexts(options, ['1', ...notify])
  const constraints = raceConstraints(options)
  const tables = ['events', 'idempotency'].map(options.names.table).join(' or ')

  async function write(connection: PostgresConnection, textOf: CommitText, entries: Entries) {
    const rare = entries.some(isRare)
    const counts = entries.flatMap(({ write }, n) =>
      write === undefined ? [] : countChanges(write).map((change) => ({ n, ...change })),
    )
    const actions = new Set(entries.map(({ write }) => write && actionOf(write)))
    const [inserts, updates] = [actions.has('insert'), actions.has('update')]
    const text = textOf({ inserts, updates, rare, counts: counts.length > 0 })
    const { rows } = await query(connection, text, parameters(entries, storedTexts, rare, counts)).catch(
      (error: unknown) => {
        throw hasLostRows(error) ? new LostRowsError(tables) : error
      },
    )
    const won = new Set(rows.map(({ n }) => Number(n)))
    return entries.map(({ write, settings }, n): Outcome<boolean> => {
      return { value: (write === undefined && settings === undefined) || won.has(n) }
    })
  }

  /** In a batch it is unknown which entry lost, so the error is thrown and the entries are retried one by one. */
  async function writeOrLose(
    connection: PostgresConnection,
    textOf: CommitText,
    entries: Entries,
  ): Promise<Outcome<boolean>[]> {
    try {
      return await write(connection, textOf, entries)
    } catch (error) {
      if (entries.length === 1 && constraints.includes(constraintOf(error))) {
        return [{ value: false }]
      }
      throw error
    }
  }

  /**
   * If the host app has made a stricter isolation level the default, commits during the wait for the lock cause a
   * serialization error. Setting the level costs two more round trips, so it is done only after such an error.
   */
  async function writeInOwnTransaction(connection: PostgresConnection, entries: Entries): Promise<Outcome<boolean>[]> {
    try {
      return await writeOrLose(connection, ownCommit, entries)
    } catch (error) {
      if ((error as { code?: unknown }).code !== '40001') throw error
    }
    await query(connection, 'begin isolation level read committed', [])
    try {
      const outcomes = await writeOrLose(connection, ownCommit, entries)
      await query(connection, 'commit', [])
      return outcomes
    } catch (error) {
      // Report the first error. A connection that cannot roll back has no transaction either.
      await query(connection, 'rollback', []).catch(() => undefined)
      throw error
    }
  }

  /**
   * With a savepoint where a constraint can reject the statement, which would leave the host's transaction unusable. Without
   * such a rejection, an entry that loses has written nothing.
   */
  async function writeInHostTransaction(connection: PostgresConnection, entries: Entries): Promise<Outcome<boolean>[]> {
    if (!entries.some(canBeRejected)) return write(connection, joinedCommit, entries)
    await query(connection, 'savepoint change_requests_write', [])
    const outcomes = await writeOrLose(connection, joinedCommit, entries)
    const lost = outcomes.some((outcome) => 'value' in outcome && !outcome.value)
    await query(connection, `${lost ? 'rollback to' : 'release'} savepoint change_requests_write`, [])
    return outcomes
  }

  return { writeInOwnTransaction, writeInHostTransaction }
}

/** Whether one of {@link raceConstraints} can reject the entry: it keeps a change request open, or records a key. */
function canBeRejected({ write }: Entry): boolean {
  return write !== undefined && (write.open || write.idempotency !== undefined)
}

function commitTexts({ names }: Pick<PostgresOptions, 'names'>, beforeLock: readonly string[]): CommitText {
  const expressions = beforeLock.join(', ')
  const texts = new Map<string, string>()
  return (needs) => {
    const key = JSON.stringify(needs)
    const text = texts.get(key) ?? commitStatement(names, expressions, needs)
    texts.set(key, text)
    return text
  }
}

/** Runs transactions with our time limits, for work that the host app takes part in. */
export function hostTransactions<Transaction>(
  { handle, lockTimeoutMs, statementTimeoutMs }: PostgresOptions<Transaction>,
  { query }: Pick<PostgresConnections, 'query'>,
) {
  return <Value>(work: (transaction: Transaction) => Promise<Value>): Promise<Value> =>
    handle.transaction(async (connection, transaction) => {
      const limits = `select set_config('lock_timeout', $1, true), set_config('statement_timeout', $2, true),
        pg_is_in_recovery() as recovery, ${unusedColumn}`
      const { rows } = await query(connection, limits, [String(lockTimeoutMs), String(statementTimeoutMs)])
      rejectUsed(rows[0])
      // Before the gateway is called: it may write elsewhere.
      if (rows[0].recovery) throw new StandbyError()
      const value = await work(transaction)
      // After an error that `work` caught, COMMIT rolls back silently; any other statement fails.
      if (!isIntact(connection)) await query(connection, 'select 1', [])
      return value
    })
}

/**
 * Whether the transaction of the connection can be committed. False if the driver does not report it: older releases have no
 * status, and after an error it is outdated until the server is ready for the next statement.
 */
function isIntact(connection: PostgresConnection): boolean {
  return connection.readyForQuery === true && connection.getTransactionStatus?.() === 'T'
}
