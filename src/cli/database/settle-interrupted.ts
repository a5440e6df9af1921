import { readFileSync } from 'node:fs'
import { settle } from '../../kernel/step/settle'
import { AggregateWriter } from '../../kernel/writer/aggregate-writer'
import type { FlagEvent } from '../../ports/flags'
import type { Storage } from '../../ports/storage/storage'
import { parseRecordedEvent } from '../../validation/check-body'
import { UsageError } from '../command'

/** Which interrupted apply, and what became of it. */
export interface SettleRequest {
  readonly project: string
  readonly id: number
  readonly outcome: 'applied' | 'not-applied'
  /** Path of a file. */
  readonly events?: string
  readonly linkBase: string
  readonly force: boolean
}

/** The default of `limits.applyTimeoutMs`. */
const applyTimeoutMs = 60_000

/** Settles an interrupted apply. Returns a message with the new state. */
export async function settleInterrupted(storage: Storage, request: SettleRequest): Promise<string> {
  const { events, linkBase, ...settlement } = request
  const services = {
    storage,
    writer: new AggregateWriter(storage, linkBase),
    clock: () => new Date(),
    // The command does not know the options of the router.
    parseEvent: (event: unknown) => parseRecordedEvent(event, 'any'),
    options: { limits: { applyTimeoutMs } },
  }
  const reported = events === undefined ? {} : { events: readEvents(events) }
  const { changeRequest } = await settle(services, { ...settlement, ...reported })
  return `The change request ${changeRequest.id} is ${changeRequest.state}.\n`
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
