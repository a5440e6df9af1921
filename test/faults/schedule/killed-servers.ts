import { join } from 'node:path'
import { knex as createKnex, type Knex } from 'knex'
import type { OpenDatabase } from '../../support/databases'
import { longTimeoutLimits } from '../../support/databases/long-timeouts'
import { listening, type Server } from '../support/server'

const { createHostTables } = require('./host-flags.cjs') as { createHostTables(host: Knex): Promise<void> }

/** How the flags of the servers are applied, and how long that takes. */
interface Way {
  readonly database: { open(): Promise<OpenDatabase> } | undefined
  readonly gateway: 'remote' | 'transactional'
  readonly slowMs: number
}

/** The servers of a test, which kills them: each test has its own database and tables of the host app. */
export class KilledServers {
  readonly #way: Way
  readonly #pollMs: number
  readonly running: Promise<Server>[] = []
  open!: OpenDatabase
  host!: Knex

  constructor(way: Way, pollMs: number) {
    this.#way = way
    this.#pollMs = pollMs
    beforeEach(async () => {
      this.open = (await way.database?.open()) as OpenDatabase
      this.host = createKnex(this.#hostConfig())
      await createHostTables(this.host)
    })
    afterEach(async () => {
      const servers = await Promise.all(this.running.splice(0))
      await Promise.all(servers.map((server) => server.kill()))
      await this.host.destroy()
      await this.open.close()
    })
  }

  start(more: { readonly clockOffMs?: number; readonly freezes?: boolean } = {}): Promise<Server> {
    const { gateway, slowMs } = this.#way
    const limits = { ...longTimeoutLimits, applyTimeoutMs: 2_000, schedulePollMs: this.#pollMs }
    const config = { ...this.open.place, host: this.#hostConfig(), gateway, slowMs, clockOffMs: 0, limits, ...more }
    return listening([process.execPath, join(__dirname, 'schedule-server.cjs'), JSON.stringify(config)])
  }

  /** The flags of the host: in the same database, or in a separate SQLite file if they are not shared. */
  #hostConfig(): Knex.Config {
    const { knex } = this.open.place
    if (knex.client === 'pg' || this.#way.gateway === 'transactional') return knex
    return { ...knex, connection: { filename: `${knex.connection.filename}.host` } }
  }
}
