import { type Command, parseOptions } from '../command'
import { databaseHelp, databaseOptions, installHelp, onDatabase, refusePositionals } from './on-database'

export const migrate: Command = {
  help: `express-change-requests migrate: creates or upgrades the tables; SQLite files get WAL mode

${databaseHelp}
Exit codes: 0 success, 1 failure, 2 wrong usage.
${installHelp}`,
  async run(args, io) {
    const { values, positionals } = parseOptions(args, databaseOptions)
    refusePositionals('migrate', positionals)
    const work: Parameters<typeof onDatabase>[2] = async ({ target, storage, from, version }) => {
      await storage.migrate()
      const to = await version()
      io.out(`${target.name}: schema version ${from === to ? to : `${from} to ${to}`}\n`)
      return 0
    }
    return onDatabase(values, io, work, true)
  },
}
