import type { Storage } from '../../ports/storage/storage'
import { describeError, isUsageError, type ProcessIo, type parseOptions, UsageError } from '../command'
import { type FileAccess, open, type StoreNames, type Target, toTarget } from './connect'

export const databaseOptions = {
  connection: { type: 'string' },
  'table-prefix': { type: 'string' },
  schema: { type: 'string' },
} as const

export const databaseHelp = `  --connection <url or file>  postgres://user@host/database or a SQLite file; default: DATABASE_URL
  --table-prefix <prefix>     the option tablePrefix of the storage; default: ffcr_
  --schema <name>             Postgres: the option schema of the storage
`

export const installHelp =
  'Install pg or better-sqlite3 next to this package. From Node 22.16 on, SQLite files need neither.\n'

type DatabaseValues = ReturnType<typeof parseOptions<typeof databaseOptions>>['values']

export function storeNames(values: DatabaseValues): StoreNames {
  const { 'table-prefix': tablePrefix, schema } = values
  return {
    ...(tablePrefix === undefined ? {} : { tablePrefix }),
    ...(schema === undefined ? {} : { schema }),
  }
}

interface Connected {
  readonly target: Target
  readonly storage: Storage
}

export interface OpenDatabase extends Connected {
  readonly from: number
  version(): Promise<number>
}

/** The same for work that needs tables whose version can be read. */
export function onDatabase(
  values: DatabaseValues & FileAccess,
  io: Pick<ProcessIo, 'env'>,
  work: (database: OpenDatabase) => Promise<number>,
): Promise<number> {
  return connected(values, io, async ({ target, storage }) => {
    const version = () => versionOf(storage)
    return work({ target, storage, version, from: await version() })
  })
}

/** Opens the database and runs the work on it. @throws Error whose message names the database, never its password */
export async function connected(
  values: DatabaseValues & FileAccess,
  { env }: Pick<ProcessIo, 'env'>,
  work: (database: Connected) => Promise<number>,
): Promise<number> {
  const connection = values.connection ?? env.DATABASE_URL
  if (!connection) throw new UsageError('Set the database with --connection or DATABASE_URL.')
  const names = storeNames(values)
  const target = toTarget(connection)
  try {
    const { storage, close } = await open(target, names, values)
    try {
      return await work({ target, storage })
    } finally {
      await close()
    }
  } catch (thrown) {
    if (isUsageError(thrown)) throw thrown
    throw new Error(`${target.name}: ${describeError(thrown)}`)
  }
}

async function versionOf(storage: Storage): Promise<number> {
  const { reachable, schemaVersion, compatible } = await storage.health()
  if (!reachable) {
    throw new Error(
      'The tables cannot be read. Check the table prefix, the schema and the privileges of the database user.',
    )
  }
  if (!compatible) {
    await storage.eventHead({}).catch((error: unknown) => {
      if (storage.failureOf(error) !== 'unmigrated') throw error
    })
  }
  return schemaVersion
}

export function refusePositionals(command: string, positionals: readonly string[]): void {
  if (positionals.length > 0) {
    throw new UsageError(`${command} takes only options. Set the database with --connection.`)
  }
}
