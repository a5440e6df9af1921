import { readFileSync } from 'node:fs'
import { settle } from '../operations/apply/settle'
import { AggregateWriter } from '../operations/writer/aggregate-writer'
import type { FlagEvent } from '../ports/flags'
import type { Storage } from '../ports/storage'
import { parseRecordedEvent } from '../validation/events/recorded-event'
import { type SettleRequest, UsageError } from './arguments'

/** What the router takes for broken off by default. */
const applyTimeoutMs = 60_000

/** Ends an application that broke off, and says what the change request is now. */
export async function settleApplication(storage: Storage, request: SettleRequest): Promise<string> {
  const { events, linkBase, ...settlement } = request
  const services = {
    storage,
    writer: new AggregateWriter(storage, linkBase),
    clock: () => new Date(),
    parseEvent: parseRecordedEvent,
    settings: { applyTimeoutMs },
  }
  const told = events === undefined ? {} : { events: readEvents(events) }
  const { changeRequest } = await settle(services, { ...settlement, ...told })
  return `The change request ${changeRequest.id} is ${changeRequest.state}.\n`
}

function readEvents(file: string): FlagEvent[] {
  let events: unknown
  try {
    events = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new UsageError(`--events: ${(error as Error).message}`)
  }
  if (!Array.isArray(events)) throw new UsageError(`--events: ${file} holds no JSON array.`)
  return events
}
