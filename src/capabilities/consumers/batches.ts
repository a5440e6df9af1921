import type { EventView } from '../../generated/index'
import { eachEvent, fingerprintOf, parseEvent } from '../../kernel/log/event-bytes'
import { checkPosition, readAfter, type Verdict } from '../../kernel/log/position'
import type { Services } from '../../kernel/services'
import type { ConsumerPosition } from '../../ports/storage/consumers'
import type { ResolvedConsumer } from './check-consumer'

/** The size of a first batch, and the bytes of a large one: a batch must fit into memory. */
const firstBatchSize = 100
const maxBatchBytes = 4 << 20
/** An older batch is read again: the log may have been replaced meanwhile. */
const maxAheadMs = 1_000

/** Events that match, none or more, and the position after them. The log was compared with the position before them. */
export interface Batch {
  readonly events: readonly EventView[]
  /** As they are served. */
  readonly served: readonly Uint8Array[]
  readonly next: ConsumerPosition
  readonly verdict: Verdict
}

export function positionIn({ events, served }: Batch, id: number): ConsumerPosition {
  const event = served[events.findIndex((one) => one.id === id)] as Uint8Array
  return { position: id, event: { id, fingerprint: fingerprintOf(event) } }
}

/** A batch that was read before the one before it was stored. */
interface Ahead {
  readonly after: ConsumerPosition
  readonly reading: Promise<Batch | undefined>
  readonly epoch: number
  readonly at: number
}

export class Batches {
  readonly #services: Pick<Services, 'storage' | 'feed'>
  readonly #consumer: ResolvedConsumer
  readonly #isFiltered: boolean
  #limit: number
  #ahead: Ahead | undefined

  constructor(services: Pick<Services, 'storage' | 'feed'>, consumer: ResolvedConsumer) {
    this.#services = services
    this.#consumer = consumer
    this.#isFiltered = Object.keys(consumer.filter).length > 0
    this.#limit = Math.min(consumer.batchSize, firstBatchSize)
  }

  /** The next batch. @param head the newest id that was known before */
  async read(after: ConsumerPosition, head: number): Promise<Batch> {
    return (await this.#takeAhead(after)) ?? (await this.#readAfter(after)) ?? (await this.#readAndCheck(after, head))
  }

  /** Reads the batch after this one, if the log has more, while this one is handled and its position stored. */
  readAhead({ next }: Batch): void {
    if (this.#services.feed.head <= next.position) return
    const reading = this.#readAfter(next).catch(() => undefined)
    this.#ahead = { after: next, reading, epoch: this.#services.feed.epoch, at: performance.now() }
  }

  async #takeAhead(after: ConsumerPosition): Promise<Batch | undefined> {
    const ahead = this.#ahead
    this.#ahead = undefined
    if (ahead?.after !== after || ahead.epoch !== this.#services.feed.epoch) return undefined
    return performance.now() - ahead.at < maxAheadMs ? ahead.reading : undefined
  }

  /** One read, for a consumer without a filter. */
  async #readAfter(after: ConsumerPosition): Promise<Batch | undefined> {
    if (this.#isFiltered || after.event?.id !== after.position) return undefined
    const read = await readAfter(this.#services.storage, after, this.#limit)
    if (read === undefined) return undefined
    this.#adjustLimit(read.events.length, read.length)
    return { ...read, verdict: { skipped: null } }
  }

  async #readAndCheck(after: ConsumerPosition, head: number): Promise<Batch> {
    const { storage } = this.#services
    const limit = this.#limit
    const page = await storage.eventPage(this.#consumer.filter, { after: after.position }, limit, true)
    const to = page.searched < limit ? Math.max(head, page.lastId) : page.lastId
    this.#adjustLimit(page.count, page.json.length)
    const served = eachEvent(page)
    return { events: served.map(parseEvent), served, ...(await checkPosition(storage, after, to)) }
  }

  #adjustLimit(count: number, bytes: number): void {
    const fitting = count === 0 ? firstBatchSize : Math.max(1, Math.floor((maxBatchBytes * count) / bytes))
    this.#limit = Math.min(this.#consumer.batchSize, fitting)
  }
}
