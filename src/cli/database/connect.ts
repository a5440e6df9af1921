import { existsSync } from 'node:fs'
import type { Knex } from 'knex'
import { UsageError } from '../command'
import { missingPackage } from '../missing-package'

export interface Target {
  readonly client: 'pg' | 'better-sqlite3'
  /** For messages, without secrets. */
  readonly name: string
  readonly config: Knex.Config
}

const connectTimeoutMs = 10_000
const silent = { warn() {}, error() {}, deprecate() {}, debug() {} }
const common = { log: silent, acquireConnectionTimeout: connectTimeoutMs, pool: { min: 0, max: 1 } } as const

/** @throws UsageError for an unsupported database */
export function toTarget(connection: string): Target {
  if (/^postgres(?:ql)?:\/\//.test(connection)) {
    const url = URL.canParse(connection) ? new URL(connection) : undefined
    if (url === undefined)
      throw new UsageError('The Postgres URL is not valid. Percent-encode special characters in its password.')
    return {
      client: 'pg',
      name: `Postgres ${url.host}${url.pathname}`,
      config: { client: 'pg', connection, ...common },
    }
  }
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(connection)) {
    throw new UsageError('The connection must be a URL that begins with postgres://, or a SQLite file.')
  }
  return {
    client: 'better-sqlite3',
    name: `SQLite ${connection}`,
    config: { client: 'better-sqlite3', connection: { filename: connection }, useNullAsDefault: true, ...common },
  }
}

/** Opens the connection. @throws Error with the reason */
export async function open({ client, config }: Target, mayCreate: boolean): Promise<Knex> {
  const { filename = '' } = config.connection as { filename?: string }
  if (client === 'better-sqlite3' && !mayCreate && !existsSync(filename)) {
    throw new Error('The file does not exist. Run migrate to create it.')
  }
  const knex = create(await loadKnex(), config, client)
  try {
    await knex.raw('select 1')
    return knex
  } catch (error) {
    await knex.destroy()
    if ((error as Error).name !== 'KnexTimeoutError') throw error
    throw new Error(`No response within ${connectTimeoutMs / 1000} s. Check the host and the port.`)
  }
}

async function loadKnex(): Promise<(config: Knex.Config) => Knex> {
  try {
    return (await import('knex')).default
  } catch (error) {
    throw missingPackage('knex', error)
  }
}

function create(createKnex: (config: Knex.Config) => Knex, config: Knex.Config, client: string): Knex {
  try {
    return createKnex(config)
  } catch (error) {
    throw missingPackage(client, error)
  }
}
