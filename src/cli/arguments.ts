import { parseArgs } from 'node:util'

export const help = `express-change-requests: the tables of change requests and events

  express-change-requests migrate   brings the tables to this release; SQLite files are put into WAL mode
  express-change-requests status    tells the schema version, and alters nothing
  express-change-requests print     prints as SQL what migrate would do, and alters nothing

  --connection <url or file>  postgres://user@host/database or a file of SQLite; default: DATABASE_URL
  --table-prefix <prefix>     as the option tablePrefix of knexStorage; default: ffcr_
  --schema <name>             Postgres, as the option schema of knexStorage
  --event-partitions monthly  Postgres, as the option eventPartitions of knexStorage; migrate makes those that come
  --client <name>             print, without a connection: pg or better-sqlite3
  --from <version>            print, without a connection: the schema version that is there; default: 0
  --help, --version

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 (status) migrations are pending.
knex and pg or better-sqlite3 must be installed beside this package; print with --client needs none of them.
`

/** What the caller asked for cannot be understood. */
export class UsageError extends Error {}

export type Command = 'migrate' | 'status' | 'print'

/** What is asked for, about one store. */
export type Request =
  | { readonly command: 'help' | 'version' }
  | { readonly command: Command; readonly connection: string; readonly names: StoreNames }
  | {
      readonly command: 'print offline'
      readonly client: 'pg' | 'better-sqlite3'
      readonly names: StoreNames
      readonly from: number
    }

export interface StoreNames {
  readonly tablePrefix?: string
  readonly schema?: string
  readonly eventPartitions?: 'monthly'
}

const options = {
  connection: { type: 'string' },
  'table-prefix': { type: 'string' },
  schema: { type: 'string' },
  'event-partitions': { type: 'string' },
  client: { type: 'string' },
  from: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const

type Values = ReturnType<typeof parse>['values']

/** @throws UsageError that says what is wrong. */
export function parseRequest(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Request {
  const { values, positionals } = parse(args)
  if (values.help) return { command: 'help' }
  if (values.version) return { command: 'version' }
  const [command, ...rest] = positionals
  if (command === undefined) throw new UsageError('Say what to do: migrate, status or print.')
  if (!isCommand(command)) throw new UsageError(`Unknown command "${command}". Known are migrate, status and print.`)
  if (rest.length > 0) throw new UsageError(`${command} takes options only; the database is named by --connection.`)
  const names = {
    ...(values['table-prefix'] === undefined ? {} : { tablePrefix: values['table-prefix'] }),
    ...(values.schema === undefined ? {} : { schema: values.schema }),
    ...partitionsOf(values),
  }
  if (values.client !== undefined || values.from !== undefined) return offline(command, values, names)
  const connection = values.connection ?? env.DATABASE_URL
  if (!connection) throw new UsageError('Name the database by --connection, or in DATABASE_URL.')
  return { command, connection, names }
}

function partitionsOf({ 'event-partitions': partitions }: Values): Pick<StoreNames, 'eventPartitions'> {
  if (partitions === undefined) return {}
  if (partitions !== 'monthly') throw new UsageError('--event-partitions must be monthly.')
  return { eventPartitions: partitions }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

function isCommand(text: string): text is Command {
  return ['migrate', 'status', 'print'].includes(text)
}

function offline(command: Command, { client, connection, from = '0' }: Values, names: StoreNames): Request {
  if (command !== 'print') throw new UsageError(`${command} needs a connection: --client and --from are for print.`)
  if (connection !== undefined) throw new UsageError('print takes --connection or --client, not both.')
  if (client !== 'pg' && client !== 'better-sqlite3') throw new UsageError('--client must be pg or better-sqlite3.')
  if (!/^\d{1,9}$/.test(from)) throw new UsageError('--from must be a schema version: a whole number.')
  return { command: 'print offline', client, names, from: Number(from) }
}
