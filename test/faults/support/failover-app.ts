import { knex as createKnex, type Knex } from 'knex'
import type { ChangeRequestRouterOptions } from '../../../src'
import { knexStorage } from '../../../src/storage/knex'
import { startApp, type TestApp } from '../../support/app'
import { longTimeoutStorage } from '../../support/databases/long-timeouts'

/** An app on a replicated Postgres. */
export interface FailoverApp extends TestApp {
  readonly knex: Knex
  readonly storage: ReturnType<typeof knexStorage>
  /** What it logged as a warning or an error: level and text. */
  readonly lines: [level: string, text: string][]
}

const quiet = () => undefined

/** Starts an app with the clock of the machine. Its router is not started. */
export async function startFailoverApp(
  url: string,
  optionsFor: (knex: Knex) => Partial<ChangeRequestRouterOptions> = () => ({}),
): Promise<FailoverApp> {
  const lines: FailoverApp['lines'] = []
  const log = (level: string) => (_: object, text: string) => void lines.push([level, text])
  const logger = { debug: quiet, info: quiet, warn: log('warn'), error: log('error') }
  // Knex would print each connection that it drops.
  const silent = { debug: quiet, warn: quiet, error: quiet, deprecate: quiet }
  const knex = createKnex({ client: 'pg', connection: url, pool: { min: 0, max: 5 }, log: silent })
  const storage = knexStorage({ knex, ...longTimeoutStorage })
  const options = { storage, logger, clock: () => new Date(), ...optionsFor(knex) }
  const app = await startApp({ ...options, limits: { schedulePollMs: 50, heartbeatMs: 50, ...options.limits } })
  return {
    ...app,
    knex,
    storage,
    lines,
    async close() {
      await app.close()
      await knex.destroy()
    },
  }
}
