import { migrationSql } from '../../storage/sql/migration-sql'
import { latestVersion } from '../../storage/sql/migrations'
import { type Command, parseOptions, UsageError } from '../command'
import { databaseHelp, databaseOptions, installHelp, onDatabase, refusePositionals, storeNames } from './on-database'

export const migrate: Command = {
  help: `express-change-requests migrate: creates or upgrades the tables; SQLite files get WAL mode

${databaseHelp}
Exit codes: 0 success, 1 failure, 2 wrong usage.
${installHelp}`,
  async run(args, io) {
    const { values, positionals } = parseOptions(args, databaseOptions)
    refusePositionals('migrate', positionals)
    return onDatabase({ ...values, mayCreate: true }, io, async ({ target, storage, from, version }) => {
      await storage.migrate()
      const to = await version()
      io.out(`${target.name}: schema version ${from === to ? to : `${from} to ${to}`}\n`)
      return 0
    })
  },
}

export const status: Command = {
  help: `express-change-requests status: prints the schema version; changes nothing

${databaseHelp}
Exit codes: 0 success, 1 failure, 2 wrong usage, 3 pending migrations.
${installHelp}`,
  async run(args, io) {
    const { values, positionals } = parseOptions(args, databaseOptions)
    refusePositionals('status', positionals)
    return onDatabase(values, io, async ({ target, from }) => {
      const pending = from < latestVersion
      const state = pending ? `${latestVersion} is needed: run migrate` : 'no pending migrations'
      io.out(`${target.name}: schema version ${from}, ${state}\n`)
      return pending ? 3 : 0
    })
  },
}

const printOptions = {
  ...databaseOptions,
  client: { type: 'string' },
  from: { type: 'string' },
} as const

export const print: Command = {
  help: `express-change-requests print: prints the SQL of the pending migrations; changes nothing

${databaseHelp}  --client <name>             without a connection: pg or better-sqlite3
  --from <version>            without a connection: the current schema version; default: 0

Exit codes: 0 success, 1 failure, 2 wrong usage.
${installHelp}With --client it needs none of them.
`,
  async run(args, io) {
    const { values, positionals } = parseOptions(args, printOptions)
    refusePositionals('print', positionals)
    if (values.client !== undefined || values.from !== undefined) {
      io.out(withoutConnection(values))
      return 0
    }
    return onDatabase(values, io, async ({ target, from }) => {
      io.out(migrationSql({ client: target.client, from, ...storeNames(values) }))
      return 0
    })
  },
}

function withoutConnection(values: ReturnType<typeof parseOptions<typeof printOptions>>['values']): string {
  const { client, connection, from = '0' } = values
  if (connection !== undefined) throw new UsageError('print takes --connection or --client, not both.')
  if (client !== 'pg' && client !== 'better-sqlite3') throw new UsageError('--client must be pg or better-sqlite3.')
  if (!/^\d{1,9}$/.test(from)) throw new UsageError('--from must be a schema version: a whole number.')
  return migrationSql({ client, from: Number(from), ...storeNames(values) })
}
