import { ChangeRequestError } from '../../errors'
import type { ConsumerView } from '../../generated/index'
import type { ConsumersHealth, RegisteredConsumer } from '../../ports/consumers'
import { newConsumerStatus, type StoredConsumer } from '../../ports/storage/consumers'
import type { Storage } from '../../ports/storage/storage'
import type { HostServices } from '../host-services'
import { parsedEvents } from './event-bytes'
import { nextTo, startPosition } from './position'

export const noConsumers: ConsumersHealth = { lowestPosition: null, items: [] }

/** The consumers of all processes, and those of this process that have not been started yet. */
export async function describeConsumers(
  storage: Storage,
  now: Date,
  registered: readonly RegisteredConsumer[] = [],
): Promise<ConsumersHealth> {
  const stored = (await storage.consumers?.list()) ?? []
  const rows = [...stored]
  for (const consumer of registered) {
    if (!stored.some(({ name }) => name === consumer.name)) rows.push(await newRow(storage, consumer))
  }
  if (rows.length === 0) return noConsumers
  rows.sort((one, other) => (one.name < other.name ? -1 : 1))
  const { lastId } = await storage.eventHead({})
  const items: ConsumerView[] = []
  for (const row of rows) items.push(toView(row, lastId, await delayOf(storage, row, lastId, now)))
  return { lowestPosition: Math.min(...rows.map(({ position }) => position)), items }
}

/** The row that a first start would store. */
async function newRow(storage: Storage, { name, from }: RegisteredConsumer): Promise<StoredConsumer> {
  const start = await startPosition(storage, from).catch((error: unknown) => {
    if (typeof from !== 'number' || !ChangeRequestError.is(error)) throw error
    // Above the newest event: it cannot start yet.
    return { position: from, event: null }
  })
  return { name, ...start, owner: null, epoch: 0, leaseLeftMs: 0, status: newConsumerStatus }
}

function toView(row: StoredConsumer, lastId: number, delay: number): ConsumerView {
  const { name, position, status } = row
  const { failures, failingSince, lastError, nextAttemptAt, reason, skipped } = status
  return {
    name,
    state: stateOf(row),
    position,
    lag: Math.max(0, lastId - position),
    delay,
    attempt: failures + 1,
    failingSince,
    lastError,
    nextAttemptAt,
    reason,
    skipped,
  }
}

function stateOf({ status, leaseLeftMs }: StoredConsumer): ConsumerView['state'] {
  if (status.reason !== null) return 'stopped'
  if (leaseLeftMs <= 0) return 'waiting'
  return status.failures > 0 ? 'retrying' : 'running'
}

/** The age of the first event after the position, in milliseconds. */
async function delayOf(storage: Storage, { position }: StoredConsumer, lastId: number, now: Date): Promise<number> {
  if (lastId <= position) return 0
  const [first] = parsedEvents(await storage.eventPage({}, { after: position }, 1))
  return first === undefined ? 0 : Math.max(0, now.getTime() - Date.parse(first.createdAt))
}

/** Logs the consumers that have not read events which were removed from the log. */
export async function warnOfUnread({ storage, logger }: Pick<HostServices, 'storage' | 'logger'>): Promise<void> {
  const rows = (await storage.consumers?.list()) ?? []
  if (rows.length === 0) return
  const oldest = (await nextTo(storage, { after: 0 }))?.id
  for (const { name, position } of rows) {
    if (oldest === undefined || oldest <= position + 1) continue
    const facts = { consumer: name, position, oldest }
    logger.warn(facts, 'Events were removed from the log that a consumer has not read.')
  }
}
