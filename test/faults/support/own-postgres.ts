import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Client, type QueryResultRow } from 'pg'
import { support } from './server'

/** A separate Postgres server. */
export interface OwnPostgres {
  readonly url: string
  readonly databaseDir: string
  /** Runs a statement on a connection of its own. */
  query<Row extends QueryResultRow>(text: string): Promise<Row[]>
  /** Does nothing if it is stopped already. */
  stop(mode: StopMode): Promise<void>
  /** Stops all its processes, so that it accepts connections and does not respond. */
  freeze(): Promise<void>
  /** Continues after {@link freeze}. */
  thaw(): Promise<void>
  /** Copies the data folder of a stopped server. */
  copy(): Promise<void>
  /** Replaces the data folder of a stopped server with the copy. */
  restore(): Promise<void>
  /** Makes a stopped server a standby of the primary, with a fresh copy of its data, and starts it. */
  follow(primary: OwnPostgres): Promise<void>
  /** Makes a standby a primary. Resolves when it accepts writes. */
  promote(): Promise<void>
  /** Resolves when it accepts connections. */
  start(): Promise<void>
  /** Ends it and removes its data. */
  end(): Promise<void>
}

/** The modes of pg_ctl, which end the sessions or the processes. `kill` kills everything; the next start recovers from the log. */
export type StopMode = 'fast' | 'immediate' | 'kill'

/** Starts a primary with these settings, or a standby of another primary. */
export async function startOwnPostgres(
  config: { readonly settings?: readonly string[]; readonly primary?: OwnPostgres } = {},
): Promise<OwnPostgres> {
  const child = fork(join(support, 'processes/kill-postgres.mjs'), [JSON.stringify(config)])
  const gone = once(child, 'exit')
  const answer = async () => {
    const [message] = await Promise.race([
      once(child, 'message'),
      gone.then(() => Promise.reject(new Error('The process of Postgres ended.'))),
    ])
    return message
  }
  const { url, databaseDir } = await answer()
  const command = async (message: object) => {
    const done = answer()
    child.send(message)
    await done
  }
  const query: OwnPostgres['query'] = async (text) => {
    const client = new Client({ connectionString: url, application_name: 'test' })
    await client.connect()
    try {
      return (await client.query(text)).rows
    } finally {
      await client.end()
    }
  }
  return {
    url,
    databaseDir,
    query,
    stop: (mode) => command({ command: 'stop', mode }),
    freeze: () => command({ command: 'freeze' }),
    thaw: () => command({ command: 'thaw' }),
    copy: () => command({ command: 'copy' }),
    restore: () => command({ command: 'restore' }),
    follow: (primary) => command({ command: 'follow', primary }),
    promote: async () => void (await query('select pg_promote()')),
    start: () => command({ command: 'start' }),
    async end() {
      child.disconnect()
      await gone
    },
  }
}
