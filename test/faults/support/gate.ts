import { randomInt } from 'node:crypto'
import type { Knex } from 'knex'
import type { OpenDatabase } from '../../support/databases'

/** Pauses a commit on Postgres before the row of an event is written, until the gate is opened. */
export class Gate {
  readonly #database: OpenDatabase
  readonly #key: number
  #keeper: Knex.Transaction | undefined

  private constructor(database: OpenDatabase, key: number) {
    this.#database = database
    this.#key = key
  }

  /** Builds the gate for events of the project, and leaves it open. */
  static async build(database: OpenDatabase, project: string): Promise<Gate> {
    const key = randomInt(2 ** 31)
    await database.knex.raw(`create function wait_at_gate() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock(${key}); return new; end $$`)
    await database.knex.raw(`create trigger wait_at_gate before insert on ffcr_events for each row
      when (new.project = '${project}') execute function wait_at_gate()`)
    return new Gate(database, key)
  }

  async close(): Promise<void> {
    this.#keeper = await this.#database.knex.transaction()
    await this.#keeper.raw(`select pg_advisory_xact_lock(${this.#key})`)
  }

  /** Can be called twice. */
  async open(): Promise<void> {
    const keeper = this.#keeper
    this.#keeper = undefined
    await keeper?.rollback()
  }

  /** The number of statements of this schema that wait at the gate, or for a statement that waits there. */
  async waiting(): Promise<number> {
    const { rows } = await this.#database.knex.raw(
      `select 1 from pg_stat_activity where wait_event_type = 'Lock' and position(? in query) > 0`,
      [`"${this.#database.place.storage.schema}"`],
    )
    return rows.length
  }
}
