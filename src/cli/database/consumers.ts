import { userInfo } from 'node:os'
import { describeConsumers } from '../../kernel/log/describe-consumers'
import { removeConsumer, seekConsumer } from '../../kernel/log/seek-consumer'
import type { ConsumerStart } from '../../ports/consumers'
import type { Storage } from '../../ports/storage/storage'
import { type Command, type ProcessIo, parseOptions, printable, UsageError } from '../command'
import { databaseHelp, databaseOptions, installHelp, onDatabase } from './on-database'

const options = { ...databaseOptions, json: { type: 'boolean', default: false } } as const

export const consumers: Command = {
  help: `express-change-requests consumers: the durable consumers of the event log

  consumers list                               prints position and state of each; changes nothing
  consumers seek <name> <id | now | beginning> continues after the event, after the newest, or with the oldest
  consumers remove <name>                      removes the position of a consumer that no process runs

${databaseHelp}  --json                      prints the list as JSON

seek and remove print the user of the operating system, also as a log line on the standard error.

Exit codes: 0 success, 1 failure, 2 wrong usage.
${installHelp}`,
  async run(args, io) {
    const { values, positionals } = parseOptions(args, options)
    const work = toWork(positionals)
    return onDatabase(values, io, async ({ storage }) => {
      await work(storage, io, values.json)
      return 0
    })
  },
}

type Work = (storage: Storage, io: ProcessIo, json: boolean) => Promise<void>

function toWork([action, name, to, ...others]: readonly string[]): Work {
  if (action === 'list' && name === undefined) return list
  if (action === 'remove' && name !== undefined && to === undefined) return (storage, io) => remove(storage, io, name)
  if (action === 'seek' && name !== undefined && to !== undefined && others.length === 0) {
    const start = toStart(to)
    return (storage, io) => seek(storage, io, name, start)
  }
  throw new UsageError('Use consumers list, consumers seek <name> <id | now | beginning> or consumers remove <name>.')
}

function toStart(text: string): ConsumerStart {
  if (text === 'now' || text === 'beginning') return text
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`"${text}" is no position: use an event id, now or beginning.`)
  return Number(text)
}

async function list(storage: Storage, io: ProcessIo, json: boolean): Promise<void> {
  const { items } = await describeConsumers(storage, new Date())
  if (json) return io.out(`${JSON.stringify({ consumers: items })}\n`)
  if (items.length === 0) return io.out('There are no consumers.\n')
  for (const { name, state, position, lag, reason, lastError } of items) {
    const why = reason ?? lastError
    io.out(
      `${name}: ${state} at event ${position}, at most ${lag} behind${why === null ? '' : ` (${printable(why)})`}\n`,
    )
  }
}

async function seek(storage: Storage, io: ProcessIo, name: string, to: ConsumerStart): Promise<void> {
  await seekConsumer(storage, name, to)
  report(io, `The consumer ${name} was moved to ${typeof to === 'number' ? `event ${to}` : to}`)
}

async function remove(storage: Storage, io: ProcessIo, name: string): Promise<void> {
  await removeConsumer(storage, name)
  report(io, `The consumer ${name} was removed`)
}

function report(io: ProcessIo, what: string): void {
  const text = `${what} by ${systemUser()}.`
  io.out(`${text}\n`)
  io.error(`${new Date().toISOString()} ${text}\n`)
}

/** A container may run with a user id that has no name. */
function systemUser(): string {
  try {
    return userInfo().username
  } catch {
    return 'a user without a name'
  }
}
