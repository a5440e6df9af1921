import type { Socket } from 'node:net'
import type { EventPage } from '../../ports/storage'

/** What we use of a connection of the driver pg. */
export interface PostgresConnection {
  query(config: object): Promise<unknown>
  end(): Promise<void>
  __knex__disposed?: unknown
}

/** What we use of pg's protocol layer. */
interface Protocol {
  readonly stream: Socket
  parse(message: { text: string; name: string }): void
  bind(message: { values: string[] }): void
  describe(message: { type: 'P'; name: string }): void
  execute(message: object): void
  sync(): void
}

type DataListener = (chunk: Buffer) => void

const dataRow = 'D'.charCodeAt(0)
const headerBytes = 5
/** Number of columns and length of the only one stand before the value. */
const valueOffset = headerBytes + 2 + 4

/**
 * Runs a query whose only column is a piece of JSON beginning with a comma, and answers the pieces joined, copied from
 * the protocol messages without decoding them. All other messages go to the driver as they came.
 */
export function readRowBytes(
  connection: PostgresConnection,
  { text, values, query_timeout }: { text: string; values: string[]; query_timeout: number },
): Promise<EventPage> {
  return new Promise((resolve, reject) => {
    const done: Done = (error, page) => (page === undefined ? reject(error) : resolve(page))
    void connection.query(new RowBytesQuery(text, values, query_timeout, done))
  })
}

type Done = (error: unknown, page?: EventPage) => void

/** What pg calls a submittable: it drives one query on a connection that it is lent. */
class RowBytesQuery {
  readonly #text: string
  readonly #values: string[]
  /** Read by the driver, which replaces `callback` by one that also stops its timer. */
  readonly query_timeout: number
  callback: Done
  #stream: Socket | undefined
  #driver: DataListener[] = []
  #page: Buffer = Buffer.allocUnsafe(1 << 16)
  #length = 0
  #lastRow = 0
  #count = 0
  #rest: Buffer | undefined

  constructor(text: string, values: string[], queryTimeout: number, done: Done) {
    this.#text = text
    this.#values = values
    this.query_timeout = queryTimeout
    this.callback = done
  }

  submit(protocol: Protocol): void {
    protocol.parse({ text: this.#text, name: '' })
    protocol.bind({ values: this.#values })
    protocol.describe({ type: 'P', name: '' })
    protocol.execute({})
    protocol.sync()
    this.#stream = protocol.stream
    this.#driver = protocol.stream.listeners('data') as DataListener[]
    protocol.stream.removeAllListeners('data')
    protocol.stream.on('data', this.#onData)
  }

  readonly #onData = (chunk: Buffer): void => {
    const data = this.#rest === undefined ? chunk : Buffer.concat([this.#rest, chunk])
    let offset = 0
    while (offset + headerBytes <= data.length && this.#stream !== undefined) {
      const end = offset + 1 + data.readUInt32BE(offset + 1)
      if (end > data.length) break
      if (data[offset] === dataRow) this.#append(data, offset + valueOffset, end)
      else this.#toDriver(data.subarray(offset, end))
      offset = end
    }
    if (this.#stream === undefined) {
      if (offset < data.length) this.#toDriver(data.subarray(offset))
    } else this.#rest = offset < data.length ? data.subarray(offset) : undefined
  }

  #toDriver(bytes: Buffer): void {
    for (const listener of this.#driver) listener(bytes)
  }

  #append(data: Buffer, start: number, end: number): void {
    const needed = this.#length + end - start
    if (needed > this.#page.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, this.#page.length * 2))
      this.#page.copy(larger, 0, 0, this.#length)
      this.#page = larger
    }
    data.copy(this.#page, this.#length, start, end)
    this.#lastRow = this.#length
    this.#length = needed
    this.#count += 1
  }

  #giveBack(): void {
    if (this.#stream === undefined) return
    this.#stream.removeListener('data', this.#onData)
    for (const listener of this.#driver) this.#stream.on('data', listener)
    this.#stream = undefined
  }

  handleRowDescription(): void {}
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleDataRow(): void {}

  /** The driver forgets a query that failed: ReadyForQuery, if it still comes, is not told to us. */
  handleError(error: unknown): void {
    this.#giveBack()
    this.callback(error)
  }

  handleReadyForQuery(): void {
    this.#giveBack()
    this.callback(undefined, this.#toPage())
  }

  #toPage(): EventPage {
    const last = this.#page.subarray(this.#lastRow, this.#length)
    const lastId = this.#count === 0 ? 0 : Number(last.toString('latin1', idStart, last.indexOf(',', idStart)))
    return { count: this.#count, lastId, json: this.#page.subarray(Math.min(1, this.#length), this.#length) }
  }
}

const idStart = ',{"id":'.length
