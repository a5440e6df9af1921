import type { Knex } from 'knex'
import type { Outcome } from '../shared/batched'
import { inTransaction } from '../shared/connection'
import type { Entry } from '../shared/database'
import { commitStatement, parameters } from './commit'
import { idempotencyKey, isRare, rareParts } from './commit-rare'
import type { PostgresConnection, PostgresConnections, PostgresOptions } from './connection'
import { notification } from './notify'

/** The commit statement without and with its rare parts. */
interface CommitTexts {
  readonly common: string
  readonly rare: string
}

type Entries = readonly Entry[]

/** The constraints that reject a write that came too late: its key is used already, or its author has an open request. */
export function raceConstraints({ names }: Pick<PostgresOptions, 'names'>): string[] {
  return [idempotencyKey(names), names.index('change_requests_open').slice(1, -1)]
}

/** The writes of a batch, in a transaction of their own or in one of the host. */
export function entryWriter(options: PostgresOptions, { query }: Pick<PostgresConnections, 'query'>) {
  const notify = options.notify ? [notification(options.names)] : []
  const limit = `set_config('lock_timeout', '${options.lockTimeoutMs}', true)`
  const ownCommit = commitTexts(options, [limit, ...notify])
  // In a transaction of the host, the host's limits apply.
  const joinedCommit = commitTexts(options, ['1', ...notify])
  const rivals = raceConstraints(options)

  async function write(connection: PostgresConnection, texts: CommitTexts, entries: Entries) {
    const rare = entries.some(isRare)
    const { rows } = await query(connection, rare ? texts.rare : texts.common, parameters(entries, rare))
    const won = new Set(rows.map(({ n }) => n as number))
    return entries.map(
      ({ write, settings }, n): Outcome<boolean> => ({
        value: (write === undefined && settings === undefined) || won.has(n),
      }),
    )
  }

  /** In a batch it is unknown which entry lost: its entries are retried one by one, and get here alone. */
  async function writeOrLose(connection: PostgresConnection, texts: CommitTexts, entries: Entries) {
    try {
      return await write(connection, texts, entries)
    } catch (error) {
      if (entries.length === 1 && rivals.includes((error as { constraint?: string }).constraint ?? '')) {
        return [{ value: false }]
      }
      throw error
    }
  }

  /**
   * Where the host has made a stricter isolation the default, what was committed while the statement waited for the lock
   * is a conflict. A level of its own costs two more round trips, so it is left to those that meet one.
   */
  async function writeApart(connection: PostgresConnection, entries: Entries): Promise<Outcome<boolean>[]> {
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
      // What went wrong first is what counts; a connection that cannot roll back has no transaction either.
      await query(connection, 'rollback', []).catch(() => undefined)
      throw error
    }
  }

  /** With a savepoint, because a statement that a constraint rejects would leave the host's transaction unusable. */
  async function writeInside(connection: PostgresConnection, entries: Entries): Promise<Outcome<boolean>[]> {
    await query(connection, 'savepoint change_requests_write', [])
    const outcomes = await writeOrLose(connection, joinedCommit, entries)
    const lost = outcomes.some((outcome) => 'value' in outcome && !outcome.value)
    await query(connection, `${lost ? 'rollback to' : 'release'} savepoint change_requests_write`, [])
    return outcomes
  }

  return { writeApart, writeInside }
}

function commitTexts({ names }: PostgresOptions, beforeLock: readonly string[]): CommitTexts {
  const expressions = beforeLock.join(', ')
  return { common: commitStatement(names, expressions), rare: commitStatement(names, expressions, rareParts(names)) }
}

/** Transactions of Knex with our limits, for work that the host shares. */
export function hostTransactions(options: PostgresOptions, { borrow, query }: PostgresConnections) {
  return async <Value>(work: (transaction: Knex.Transaction) => Promise<Value>): Promise<Value> => {
    const { lockTimeoutMs, statementTimeoutMs } = options
    return borrow((connection) =>
      inTransaction(options.knex, connection, async (transaction) => {
        const limits = `select set_config('lock_timeout', $1, true), set_config('statement_timeout', $2, true)`
        await query(connection, limits, [String(lockTimeoutMs), String(statementTimeoutMs)])
        const value = await work(transaction)
        // After an error that `work` caught, COMMIT rolls back silently; any other statement fails.
        await query(connection, 'select 1', [])
        return value
      }),
    )
  }
}
