import { ChangeRequestError } from '../../errors'
import type { ConsumerStart } from '../../ports/consumers'
import { type ConsumerStorage, newConsumerStatus, type StoredConsumer } from '../../ports/storage/consumers'
import type { Storage } from '../../ports/storage/storage'
import { startPosition } from './position'

/** The consumers of the storage. @throws TypeError if it has none */
export function consumersOf({ consumers }: Pick<Storage, 'consumers'>): ConsumerStorage {
  if (consumers === undefined) throw new TypeError('This storage has no consumers: it has no property "consumers".')
  return consumers
}

/**
 * Moves a consumer. A running batch is aborted, and its position rejected; failures are forgotten, and a stopped consumer
 * continues.
 *
 * @throws TypeError for anything but an id, 'now' or 'beginning'
 * @throws ChangeRequestError BadDataError for an id above the newest one; NotFoundError for an unknown name
 */
export async function seekConsumer(storage: Storage, name: string, to: ConsumerStart): Promise<void> {
  if (!isStart(to)) throw new TypeError("seek: the position must be an event id, 'now' or 'beginning'.")
  await nextEpoch(consumersOf(storage), name, async ({ status: { handledAt } }) => ({
    ...(await startPosition(storage, to)),
    status: { ...newConsumerStatus, handledAt },
  }))
}

/** Attempts again now, also for a stopped consumer. @throws ChangeRequestError NotFoundError for an unknown name */
export async function retryConsumer({ consumers }: Storage, name: string): Promise<void> {
  if (consumers === undefined) throw unknown(name)
  await nextEpoch(consumers, name, async ({ position, event, status: { handledAt, skipped } }) => ({
    position,
    event,
    status: { ...newConsumerStatus, handledAt, skipped },
  }))
}

/** @throws ChangeRequestError NotFoundError for an unknown name; ConflictError while a process runs it */
export async function removeConsumer(storage: Storage, name: string): Promise<void> {
  const consumers = consumersOf(storage)
  if (await consumers.remove(name)) return
  await find(consumers, name)
  const text = `The consumer ${name} is running. Stop the processes that run it, or wait until their lease has ended.`
  throw new ChangeRequestError('ConflictError', text)
}

export function isStart(value: unknown): value is ConsumerStart {
  return value === 'now' || value === 'beginning' || (Number.isSafeInteger(value) && (value as number) >= 0)
}

/** Writes with the next epoch, so that the current owner starts again from the row. */
async function nextEpoch(
  consumers: ConsumerStorage,
  name: string,
  decide: (row: StoredConsumer) => Promise<Pick<StoredConsumer, 'position' | 'event' | 'status'>>,
): Promise<void> {
  // The owner may store a position between the read and the write.
  for (let attempt = 1; attempt <= 12; attempt += 1) {
    const before = await find(consumers, name)
    if (await consumers.write({ ...(await decide(before)), before, epoch: before.epoch + 1 })) return
  }
  throw new ChangeRequestError('UnavailableError', `The consumer ${name} is busy. Try again.`)
}

async function find(consumers: ConsumerStorage, name: string): Promise<StoredConsumer> {
  const row = (await consumers.list()).find((one) => one.name === name)
  if (row === undefined) throw unknown(name)
  return row
}

function unknown(name: string): ChangeRequestError {
  return new ChangeRequestError('NotFoundError', `There is no consumer "${name}".`)
}
