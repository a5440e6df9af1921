import type { Socket } from 'node:net'
import type { EventPage } from '../../../../ports/storage/events'
import { safeInteger } from '../../shared/database'
import type { PostgresConnection } from '../connection'

/** The part of pg's protocol layer that is used here. */
interface Protocol {
  readonly stream: Socket
  readonly parsedStatements: { readonly [name: string]: string }
  parse(message: { text: string; name: string }): void
  bind(message: { values: string[]; statement: string }): void
  describe(message: { type: 'P'; name: string }): void
  execute(message: object): void
  sync(): void
}

type DataListener = (chunk: Buffer) => void

const dataRow = 'D'.charCodeAt(0)
const headerBytes = 5
const minPageBytes = 1 << 12
/** The value comes after the number of columns and the length of the only column. */
const valueOffset = headerBytes + 2 + 4

export interface RawRowsRequest {
  readonly text: string
  /** Prepares the statement under this name. */
  readonly name?: string
  readonly values: string[]
  readonly query_timeout: number
  /** The initial size of the buffer. A page that fits is copied only once. */
  readonly expectedBytes: number
}

/**
 * Runs a query whose only column is an event with a leading comma and line feed. Returns the rows joined, copied from the
 * protocol messages without decoding them. All other messages are passed to the driver unchanged.
 */
export function readRawRows(connection: PostgresConnection, request: RawRowsRequest): Promise<EventPage> {
  return new Promise((resolve, reject) => {
    const done: Done = (error, page) => (page === undefined ? reject(error) : resolve(page))
    void connection.query(new RowBytesQuery(request, done))
  })
}

type Done = (error: unknown, page?: EventPage) => void

/** A "submittable" of pg: it runs one query on a connection. */
class RowBytesQuery {
  /** Read by the driver, which remembers the statements that a connection has parsed. */
  readonly text: string
  readonly name: string
  readonly #values: string[]
  /** Read by the driver, which replaces `callback` with one that also stops its timer. */
  readonly query_timeout: number
  callback: Done
  #stream: Socket | undefined
  #driver: DataListener[] = []
  #page: Buffer
  #length = 0
  #lastRow = 0
  #count = 0
  #partial: Buffer | undefined

  constructor({ text, name = '', values, query_timeout, expectedBytes }: RawRowsRequest, done: Done) {
    this.text = text
    this.name = name
    this.#values = values
    this.#page = Buffer.allocUnsafeSlow(Math.max(expectedBytes, minPageBytes))
    this.query_timeout = query_timeout
    this.callback = done
  }

  submit(protocol: Protocol): void {
    const { name, text } = this
    if (name === '' || protocol.parsedStatements[name] !== text) protocol.parse({ text, name })
    protocol.bind({ values: this.#values, statement: name })
    protocol.describe({ type: 'P', name: '' })
    protocol.execute({})
    protocol.sync()
    this.#stream = protocol.stream
    this.#driver = protocol.stream.listeners('data') as DataListener[]
    protocol.stream.removeAllListeners('data')
    protocol.stream.on('data', this.#onData)
  }

  readonly #onData = (chunk: Buffer): void => {
    let offset = this.#partial === undefined ? 0 : this.#completeMessage(this.#partial, chunk)
    while (offset + headerBytes <= chunk.length && this.#stream !== undefined) {
      const end = offset + 1 + chunk.readUInt32BE(offset + 1)
      if (end > chunk.length) break
      this.#handleMessage(chunk, offset, end)
      offset = end
    }
    if (offset === chunk.length) return
    if (this.#stream === undefined) this.#toDriver(chunk.subarray(offset))
    else this.#partial = chunk.subarray(offset)
  }

  /** Completes the message that began in an earlier chunk and copies only that one. Returns how many bytes of this chunk it used. */
  #completeMessage(rest: Buffer, chunk: Buffer): number {
    const head = rest.length < headerBytes ? Buffer.concat([rest, chunk.subarray(0, headerBytes)]) : rest
    const missing = head.length < headerBytes ? chunk.length : 1 + head.readUInt32BE(1) - rest.length
    const message = Buffer.concat([rest, chunk.subarray(0, missing)])
    const whole = head.length >= headerBytes && missing <= chunk.length
    this.#partial = whole ? undefined : message
    if (whole) this.#handleMessage(message, 0, message.length)
    return Math.min(missing, chunk.length)
  }

  #handleMessage(data: Buffer, start: number, end: number): void {
    if (data[start] === dataRow) this.#append(data, start + valueOffset, end)
    else this.#toDriver(data.subarray(start, end))
  }

  /** Copies the row. A view per row was not faster and took 30 MB more memory. */
  #append(data: Buffer, start: number, end: number): void {
    const needed = this.#length + end - start
    if (needed > this.#page.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#page.length * 2))
      this.#page.copy(larger, 0, 0, this.#length)
      this.#page = larger
    }
    data.copy(this.#page, this.#length, start, end)
    this.#lastRow = this.#length
    this.#length = needed
    this.#count += 1
  }

  #toDriver(bytes: Buffer): void {
    for (const listener of this.#driver) listener(bytes)
  }

  #partialoreListeners(): void {
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

  /** After an error the driver no longer passes on the ReadyForQuery of this query. */
  handleError(error: unknown): void {
    this.#partialoreListeners()
    this.callback(error)
  }

  handleReadyForQuery(): void {
    this.#partialoreListeners()
    try {
      this.callback(undefined, this.#toPage())
    } catch (error) {
      this.callback(error)
    }
  }

  #toPage(): EventPage {
    const last = this.#page.subarray(this.#lastRow, this.#length)
    const lastId = this.#count === 0 ? 0 : safeInteger(last.toString('latin1', idStart, last.indexOf(',', idStart)))
    const json = this.#page.subarray(Math.min(separatorLength, this.#length), this.#length)
    return { count: this.#count, searched: this.#count, lastId, json }
  }
}

const separatorLength = ',\n'.length
const idStart = ',\n{"id":'.length
