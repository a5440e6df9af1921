import { hash } from 'node:crypto'
import { pause } from '../../../pause'
import type { Names } from '../database/database'
import type { PostgresOptions } from './connection'
import type { PostgresConnection } from './handle'

/** A connection that is held while there is a listener. */
interface ListeningConnection extends PostgresConnection {
  on(event: 'notification' | 'error' | 'end', listener: () => void): unknown
  off(event: 'notification' | 'error' | 'end', listener: () => void): unknown
}

const pauseMs = 1_000
/** How long a connection listens: one to a server that is no longer the primary shows no error. */
const renewalMs = 60_000
const selfTestMs = 2_000
/** One failure can be a failover between LISTEN and NOTIFY. */
const maxFailedTests = 2

/** Processes that spell the schema differently use different channels, and see each other's commits by polling. */
function channelOf({ table }: Names): string {
  return `change_requests_${hash('sha256', table('events'), 'hex').slice(0, 16)}`
}

/** An SQL expression that notifies the listeners when the transaction commits. */
export function notification(names: Names): string {
  return `pg_notify('${channelOf(names)}', '')`
}

/**
 * Calls `notify` when another process commits. The returned function stops this and releases the connection. A lost
 * connection is replaced after a pause. Stops by itself, with a warning, if notifications do not arrive.
 */
export function listenToCommits(
  options: Pick<PostgresOptions, 'handle' | 'names' | 'statementTimeoutMs' | 'report'>,
  notify: () => void,
): () => Promise<void> {
  const { handle, names, statementTimeoutMs: query_timeout, report } = options
  const channel = channelOf(names)
  const ending = new AbortController()
  const { signal } = ending

  let failedTests = 0

  async function listen(connection: ListeningConnection): Promise<void> {
    const ended = connectionEnded(connection, AbortSignal.any([signal, AbortSignal.timeout(renewalMs)]))
    let onReceived: () => void = notify
    const received = new Promise<void>((resolve) => {
      onReceived = () => {
        resolve()
        notify()
      }
    })
    connection.on('notification', onReceived)
    try {
      await connection.query({ text: `listen ${channel}`, query_timeout })
      // Commits before the LISTEN sent no notification to this connection.
      notify()
      await selfTest(Promise.race([received, ended]))
      await ended
      await connection.query({ text: `unlisten ${channel}`, query_timeout })
    } catch (error) {
      // The connection may still be listening, so it is not returned to the pool.
      handle.discard(connection, error)
    } finally {
      connection.off('notification', onReceived)
    }
  }

  /** On another connection: a pooler returns to the sender what belongs to the connection of the server. */
  async function selfTest(received: Promise<void>): Promise<void> {
    const text = `select ${notification(names)}`
    const sending = handle.borrow((connection) => connection.query({ text, query_timeout }))
    const isSent = await sending.then(() => true).catch(() => false)
    const isReceived = await Promise.race([received.then(() => true), pause(selfTestMs, signal).then(() => false)])
    if (isReceived || !isSent || signal.aborted) {
      failedTests = 0
      return
    }
    failedTests += 1
    if (failedTests === maxFailedTests) {
      report({
        level: 'warn',
        message:
          'Notifications of Postgres do not arrive, for example because of a pooler in transaction mode. Followers of the ' +
          'log see events at the next poll. Connect directly, or set the option notify to false.',
      })
      ending.abort()
    }
    throw new Error('The connection receives no notifications.')
  }

  async function listenUntilStopped(): Promise<void> {
    while (!signal.aborted) {
      await handle.borrow((connection) => listen(connection as ListeningConnection)).catch(() => undefined)
      await pause(pauseMs, signal)
    }
  }

  const running = listenUntilStopped()
  return async () => {
    ending.abort()
    await running
  }
}

function connectionEnded(connection: ListeningConnection, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      connection.off('error', done)
      connection.off('end', done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    connection.on('error', done)
    connection.on('end', done)
    signal.addEventListener('abort', done)
    if (signal.aborted) done()
  })
}
