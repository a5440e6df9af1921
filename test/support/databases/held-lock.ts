import SqliteDatabase from 'better-sqlite3'
import type { Knex } from 'knex'
import type { Place } from './index'

/** An attempt that found the file locked. */
interface Attempt {
  /** How long the driver was allowed to block the event loop for it. */
  readonly busyTimeout: number
  /** How many iterations the event loop had run by then. */
  readonly iteration: number
}

interface Statement {
  run(...values: unknown[]): unknown
  get(...values: unknown[]): unknown
  all(...values: unknown[]): unknown
  pluck(): Statement
}

interface Connection {
  prepare(text: string): Statement
  exec(text: string): unknown
  pragma(text: string, options?: object): unknown
}

/** Records each attempt of the connections of a Knex that finds the file locked. */
export class LockWatch {
  readonly attempts: Attempt[] = []
  #iteration = 0
  #over = false

  constructor() {
    const count = () => {
      this.#iteration += 1
      if (!this.#over) setImmediate(count)
    }
    count()
  }

  /** For the settings of the Knex. */
  get pool(): Knex.PoolConfig {
    return {
      min: 1,
      max: 1,
      afterCreate: (connection: Connection, done: (error: null) => void) => {
        this.#watch(connection)
        done(null)
      },
    }
  }

  stop(): void {
    this.#over = true
  }

  /** Resolves after this many attempts. */
  async seen(attempts: number): Promise<void> {
    while (this.attempts.length < attempts && !this.#over) await new Promise((resolve) => setImmediate(resolve))
  }

  /** The longest time for which an attempt may have blocked the event loop. */
  get longestBlock(): number {
    return Math.max(...this.attempts.map(({ busyTimeout }) => busyTimeout))
  }

  /**
   * The number of attempts that are at least the third in their iteration of the event loop, so that nothing else ran in
   * between. A second one can be a timer that ends right after the iteration was counted.
   */
  get withoutYield(): number {
    return this.attempts.filter(({ iteration }, index) => iteration === this.attempts[index - 2]?.iteration).length
  }

  #watch(connection: Connection): void {
    const prepare = connection.prepare.bind(connection)
    const busyTimeout = () => Number(prepare('pragma busy_timeout').pluck().get())
    const watched = <Target extends object>(target: Target, names: readonly (keyof Target)[]) => {
      for (const name of names) {
        const call = (target[name] as (...values: unknown[]) => unknown).bind(target)
        Object.assign(target, {
          [name]: (...values: unknown[]) => {
            try {
              return call(...values)
            } catch (error) {
              if ((error as { code?: unknown }).code === 'SQLITE_BUSY') {
                this.attempts.push({ busyTimeout: busyTimeout(), iteration: this.#iteration })
              }
              throw error
            }
          },
        })
      }
      return target
    }
    watched(connection, ['exec', 'pragma'])
    connection.prepare = (text) => watched(prepare(text), ['run', 'get', 'all'])
  }
}

/** Another connection to the file of the store, like that of another process. */
export function otherConnection({ knex }: Place): SqliteDatabase.Database {
  return new SqliteDatabase((knex.connection as { filename: string }).filename)
}
