import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { support } from './server'

/** A separate Postgres server. */
export interface OwnPostgres {
  readonly url: string
  stop(mode: StopMode): Promise<void>
  /** Copies the data folder of a stopped server. */
  copy(): Promise<void>
  /** Replaces the data folder of a stopped server with the copy. */
  restore(): Promise<void>
  /** Resolves when it accepts connections. */
  start(): Promise<void>
  /** Ends it and removes its data. */
  end(): Promise<void>
}

/** The modes of pg_ctl, which end the sessions or the processes. `kill` kills everything; the next start recovers from the log. */
export type StopMode = 'fast' | 'immediate' | 'kill'

export async function startOwnPostgres(): Promise<OwnPostgres> {
  const child = fork(join(support, 'processes/kill-postgres.mjs'))
  const gone = once(child, 'exit')
  const answer = async () => {
    const [message] = await Promise.race([
      once(child, 'message'),
      gone.then(() => Promise.reject(new Error('The process of Postgres ended.'))),
    ])
    return message
  }
  const { url } = await answer()
  const command = async (message: object) => {
    const done = answer()
    child.send(message)
    await done
  }
  return {
    url,
    stop: (mode) => command({ command: 'stop', mode }),
    copy: () => command({ command: 'copy' }),
    restore: () => command({ command: 'restore' }),
    start: () => command({ command: 'start' }),
    async end() {
      child.disconnect()
      await gone
    },
  }
}
