import { createHash } from 'node:crypto'
import type { Names } from '../shared/database'
import type { PostgresConnection, PostgresHandle } from './handle'

/** A connection that is held while there is a listener. */
interface ListeningConnection extends PostgresConnection {
  on(event: 'notification' | 'error' | 'end', listener: () => void): unknown
  off(event: 'notification' | 'error' | 'end', listener: () => void): unknown
}

const pauseMs = 1_000

/**
 * The channel for the commits of a log. Processes that spell the schema differently use different channels; they see each
 * other's commits at the next poll.
 */
function channelOf({ table }: Names): string {
  return `change_requests_${createHash('sha256').update(table('events')).digest('hex').slice(0, 16)}`
}

/** An SQL expression that notifies the listeners when the transaction commits. */
export function notification(names: Names): string {
  return `pg_notify('${channelOf(names)}', '')`
}

/**
 * Calls `notify` when another process commits. The returned function stops this and releases the connection. A lost
 * connection is replaced after a pause.
 */
export function listenToCommits(
  handle: Pick<PostgresHandle, 'borrow' | 'discard'>,
  names: Names,
  timeoutMs: number,
  notify: () => void,
): () => Promise<void> {
  const channel = channelOf(names)
  const ending = new AbortController()
  const { signal } = ending

  async function listen(connection: ListeningConnection): Promise<void> {
    const lost = connectionLost(connection, signal)
    connection.on('notification', notify)
    try {
      await connection.query({ text: `listen ${channel}`, query_timeout: timeoutMs })
      // Commits before the LISTEN sent no notification to this connection.
      notify()
      await lost
      if (signal.aborted) await connection.query({ text: `unlisten ${channel}`, query_timeout: timeoutMs })
    } catch (error) {
      // The connection may still be listening, so it is not returned to the pool.
      handle.discard(connection, error)
    } finally {
      connection.off('notification', notify)
    }
  }

  async function listenUntilStopped(): Promise<void> {
    while (!signal.aborted) {
      await handle.borrow((connection) => listen(connection as ListeningConnection)).catch(() => undefined)
      await pause(signal)
    }
  }

  const running = listenUntilStopped()
  return async () => {
    ending.abort()
    await running
  }
}

/** Resolves when the connection is lost or the signal is aborted. */
function connectionLost(connection: ListeningConnection, signal: AbortSignal): Promise<void> {
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

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, pauseMs).unref()
    signal.addEventListener('abort', done)
  })
}
