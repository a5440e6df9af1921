import { type Command, parseOptions, UsageError } from '../command'
import { databaseHelp, databaseOptions, installHelp, onDatabase, refusePositionals } from './on-database'
import type { SettleRequest } from './settle-interrupted'

const options = {
  ...databaseOptions,
  project: { type: 'string' },
  id: { type: 'string' },
  outcome: { type: 'string' },
  events: { type: 'string' },
  'link-base': { type: 'string' },
  force: { type: 'boolean' },
} as const

export const settle: Command = {
  help: `express-change-requests settle: stores the outcome of an interrupted apply, once you know it

${databaseHelp}  --project <name>            the project of the change request
  --id <number>               the id of the change request
  --outcome <outcome>         applied or not-applied
  --events <file>             with applied: a file with a JSON array of the events for the log
  --link-base <url>           the option linkBase of the router
  --force                     even if the apply began less than a minute ago

Exit codes: 0 success, 1 failure, 2 wrong usage.
${installHelp}`,
  async run(args, io) {
    const { values, positionals } = parseOptions(args, options)
    refusePositionals('settle', positionals)
    const request = settleRequest(values)
    return onDatabase(values, io, async ({ target, storage }) => {
      // Loaded only here, because it loads the schemas.
      const { settleInterrupted } = await import('./settle-interrupted.js')
      io.out(`${target.name}: ${await settleInterrupted(storage, request)}`)
      return 0
    })
  },
}

function settleRequest(values: ReturnType<typeof parseOptions<typeof options>>['values']): SettleRequest {
  const { project, id, outcome, events, 'link-base': linkBase = '', force = false } = values
  if (!project) throw new UsageError('settle needs --project.')
  if (id === undefined || !/^[1-9]\d{0,14}$/.test(id)) {
    throw new UsageError('settle needs --id, a positive whole number.')
  }
  if (outcome !== 'applied' && outcome !== 'not-applied') {
    throw new UsageError('settle needs --outcome: applied or not-applied.')
  }
  if (events !== undefined && outcome !== 'applied') throw new UsageError('--events works only with --outcome applied.')
  return { project, id: Number(id), outcome, ...(events === undefined ? {} : { events }), linkBase, force }
}
