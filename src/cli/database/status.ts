import { latestVersion } from '../../storage/sql/migrations'
import { type Command, parseOptions } from '../command'
import { databaseHelp, databaseOptions, installHelp, onDatabase, refusePositionals } from './on-database'

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
