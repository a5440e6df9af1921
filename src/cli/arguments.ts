import { parseArgs } from 'node:util'

export const help = `express-change-requests: manages the tables of change requests and events

  express-change-requests migrate   creates or upgrades the tables; SQLite files get WAL mode
  express-change-requests status    prints the schema version; changes nothing
  express-change-requests print     prints the SQL of the pending migrations; changes nothing
  express-change-requests settle    stores the outcome of an interrupted apply, once you know it
  express-change-requests demo      serves the review page with demo data in memory, on this computer only

  --connection <url or file>  postgres://user@host/database or a SQLite file; default: DATABASE_URL
  --table-prefix <prefix>     the option tablePrefix of knexStorage; default: ffcr_
  --schema <name>             Postgres: the option schema of knexStorage
  --event-partitions monthly  Postgres: the option eventPartitions of knexStorage; migrate creates the next partitions
  --client <name>             print without a connection: pg or better-sqlite3
  --from <version>            print without a connection: the current schema version; default: 0

  --project <name>            settle: the project of the change request
  --id <number>               settle: the id of the change request
  --outcome <outcome>         settle: applied or not-applied
  --events <file>             settle, with applied: a file with a JSON array of the events for the log
  --link-base <url>           settle: the option linkBase of the router
  --force                     settle: even if the apply began less than a minute ago
  --help, --version

demo takes no options. It listens on 127.0.0.1, on port 4242 or else on a free one; set PORT to choose the port.

Exit codes: 0 success, 1 failure, 2 wrong usage, 3 pending migrations (status only).
Install knex, and pg or better-sqlite3, next to this package. print with --client and demo need none of them.
`

/** Invalid arguments: the command exits with 2. */
export class UsageError extends Error {}

export type Command = 'migrate' | 'status' | 'print'

/** The arguments of settle. */
export interface SettleRequest {
  readonly project: string
  readonly id: number
  readonly outcome: 'applied' | 'not-applied'
  /** Path of a file. */
  readonly events?: string
  readonly linkBase: string
  readonly force: boolean
}

/** The parsed arguments. */
export type Request =
  | { readonly command: 'help' | 'version' | 'demo' }
  | { readonly command: Command; readonly connection: string; readonly names: StoreNames }
  | {
      readonly command: 'settle'
      readonly connection: string
      readonly names: StoreNames
      readonly settle: SettleRequest
    }
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
  project: { type: 'string' },
  id: { type: 'string' },
  outcome: { type: 'string' },
  events: { type: 'string' },
  'link-base': { type: 'string' },
  force: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const

type Values = ReturnType<typeof parse>['values']

/** @throws UsageError that describes the mistake */
export function parseRequest(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Request {
  const { values, positionals } = parse(args)
  if (values.help) return { command: 'help' }
  if (values.version) return { command: 'version' }
  const [command, ...rest] = positionals
  if (command === undefined) throw new UsageError('The command is missing. Use migrate, status, print, settle or demo.')
  if (command === 'demo') {
    if (args.length > 1) throw new UsageError('demo takes no options. Set the port with the variable PORT.')
    return { command }
  }
  if (!isCommand(command)) {
    throw new UsageError(`Unknown command "${command}". Use migrate, status, print, settle or demo.`)
  }
  if (rest.length > 0) throw new UsageError(`${command} takes only options. Set the database with --connection.`)
  const names = {
    ...(values['table-prefix'] === undefined ? {} : { tablePrefix: values['table-prefix'] }),
    ...(values.schema === undefined ? {} : { schema: values.schema }),
    ...partitionsOf(values),
  }
  if (values.client !== undefined || values.from !== undefined) return offline(command, values, names)
  const connection = values.connection ?? env.DATABASE_URL
  if (!connection) throw new UsageError('Set the database with --connection or DATABASE_URL.')
  if (command === 'settle') return { command, connection, names, settle: settleRequest(values) }
  const unexpected = settleOptions.find((name) => values[name] !== undefined)
  if (unexpected !== undefined) throw new UsageError(`--${unexpected} works only with settle.`)
  return { command, connection, names }
}

const settleOptions = ['project', 'id', 'outcome', 'events', 'link-base', 'force'] as const

function settleRequest(values: Values): SettleRequest {
  const { project, id, outcome, events, 'link-base': linkBase = '', force = false } = values
  if (!project) throw new UsageError('settle needs --project.')
  if (id === undefined || !/^[1-9]\d{0,14}$/.test(id))
    throw new UsageError('settle needs --id, a positive whole number.')
  if (outcome !== 'applied' && outcome !== 'not-applied') {
    throw new UsageError('settle needs --outcome: applied or not-applied.')
  }
  if (events !== undefined && outcome !== 'applied') throw new UsageError('--events works only with --outcome applied.')
  return { project, id: Number(id), outcome, ...(events === undefined ? {} : { events }), linkBase, force }
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

function isCommand(text: string): text is Command | 'settle' {
  return ['migrate', 'status', 'print', 'settle'].includes(text)
}

function offline(command: Command | 'settle', { client, connection, from = '0' }: Values, names: StoreNames): Request {
  if (command !== 'print')
    throw new UsageError(`${command} needs a connection. --client and --from work only with print.`)
  if (connection !== undefined) throw new UsageError('print takes --connection or --client, not both.')
  if (client !== 'pg' && client !== 'better-sqlite3') throw new UsageError('--client must be pg or better-sqlite3.')
  if (!/^\d{1,9}$/.test(from)) throw new UsageError('--from must be a schema version: a whole number.')
  return { command: 'print offline', client, names, from: Number(from) }
}
