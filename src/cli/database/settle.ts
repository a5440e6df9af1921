import { readFileSync } from 'node:fs'
import { settle as settleApply } from '../../kernel/step/settle'
import { AggregateWriter } from '../../kernel/writer/aggregate-writer'
import type { FlagEvent } from '../../ports/flags'
import { parseRecordedEvent } from '../../validation/check-body'
import { type Command, parseOptions, UsageError } from '../command'
import { databaseHelp, databaseOptions, installHelp, onDatabase, refusePositionals } from './on-database'

const options = {
  ...databaseOptions,
  project: { type: 'string' },
  id: { type: 'string' },
  outcome: { type: 'string' },
  events: { type: 'string' },
  'page-url': { type: 'string', default: '' },
  force: { type: 'boolean', default: false },
} as const

/** The default of `limits.applyTimeoutMs`. */
const applyTimeoutMs = 60_000

export const settle: Command = {
  help: `express-change-requests settle: stores the outcome of an interrupted apply, once you know it

${databaseHelp}  --project <name>            the project of the change request
  --id <number>               the id of the change request
  --outcome <outcome>         applied or not-applied
  --events <file>             with applied: a file with a JSON array of the events for the log
  --page-url <url>            the option pageUrl of the router
  --force                     even if the apply began less than a minute ago

Exit codes: 0 success, 1 failure, 2 wrong usage.
${installHelp}`,
  async run(args, io) {
    const { values, positionals } = parseOptions(args, options)
    refusePositionals('settle', positionals)
    const settlement = toSettlement(values)
    return onDatabase(values, io, async ({ target, storage }) => {
      const clock = () => new Date()
      const services = {
        storage,
        writer: new AggregateWriter(storage, { pageUrl: values['page-url'], links: {}, clock }),
        clock,
        // The command does not know the options of the router.
        parseEvent: (event: unknown) => parseRecordedEvent(event, 'any'),
        options: { limits: { applyTimeoutMs } },
      }
      const events = values.events === undefined ? {} : { events: readEvents(values.events) }
      const { changeRequest } = await settleApply(services, { ...settlement, ...events })
      io.out(`${target.name}: The change request ${changeRequest.id} is ${changeRequest.state}.\n`)
      return 0
    })
  },
}

function toSettlement(values: ReturnType<typeof parseOptions<typeof options>>['values']) {
  const { project, id, outcome, events, force } = values
  if (!project) throw new UsageError('settle needs --project.')
  if (id === undefined || !/^[1-9]\d{0,14}$/.test(id)) {
    throw new UsageError('settle needs --id, a positive whole number.')
  }
  if (outcome !== 'applied' && outcome !== 'not-applied') {
    throw new UsageError('settle needs --outcome: applied or not-applied.')
  }
  if (events !== undefined && outcome !== 'applied') throw new UsageError('--events works only with --outcome applied.')
  return { project, id: Number(id), outcome, force } as const
}

function readEvents(file: string): FlagEvent[] {
  let events: unknown
  try {
    events = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new UsageError(`--events: ${(error as Error).message}`)
  }
  if (!Array.isArray(events)) throw new UsageError(`--events: ${file} does not contain a JSON array.`)
  return events
}
