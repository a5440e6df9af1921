import type { PostgresConnection } from '../handle'

/**
 * A query class of our own, like those of pg-cursor: the driver calls its methods with the messages of the server. The driver's
 * own class keeps each row and emits an event for it, which takes half of the CPU time of a page.
 */
abstract class Submittable<Connection> {
  /** Read by the driver, which replaces `callback` with one that also stops its timer. */
  readonly query_timeout: number
  callback: (error?: unknown) => void = () => undefined

  constructor(timeoutMs: number) {
    this.query_timeout = timeoutMs
  }

  /** Runs the query. Resolves when all its rows have arrived. */
  run(connection: PostgresConnection): Promise<void> {
    return new Promise((resolve, reject) => {
      this.callback = (error) => (error ? reject(error) : resolve())
      void connection.query(this)
    })
  }

  abstract submit(connection: Connection): void

  handleError(error: unknown): void {
    this.callback(error)
  }

  handleReadyForQuery(): void {
    this.callback()
  }

  handleCommandComplete(): void {}
  handleRowDescription(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
}

/** The signature, the flags, and the length of an extension that no version of Postgres uses. */
const fileHeaderBytes = 11 + 4 + 4
/** The number of columns and the length of the only column. */
export const rowHeaderBytes = 6

/**
 * Copies the rows of a query with one column of text. The driver decodes a selected row into a string, but passes on a copied
 * one as bytes: for a large page this takes less CPU time and no memory per row.
 */
export class CopyQuery extends Submittable<{ query(text: string): void }> {
  readonly #select: string
  readonly #onRow: (message: Buffer) => void
  #isFirst = true

  /** @param onRow receives each row, after {@link rowHeaderBytes}. The bytes are only valid during the call. */
  constructor(select: string, timeoutMs: number, onRow: (message: Buffer) => void) {
    super(timeoutMs)
    this.#select = select
    this.#onRow = onRow
  }

  submit(sender: { query(text: string): void }): void {
    sender.query(`copy (${this.#select}) to stdout (format binary)`)
  }

  /** The server sends one message for each row; the first one begins with the header of the file, the last one has no row. */
  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    const message = this.#isFirst ? chunk.subarray(fileHeaderBytes) : chunk
    this.#isFirst = false
    if (message.length > rowHeaderBytes) this.#onRow(message)
  }
}

/** The part of a pg connection that sends the messages of a query. */
interface Sender {
  readonly stream?: { cork?(): void; uncork?(): void }
  parse(message: { text: string; name: string }): void
  bind(message: { values: readonly string[]; statement: string }): void
  describe(message: { type: 'P'; name: string }): void
  execute(message: object): void
  close(message: { type: 'S'; name: string }): void
  sync(): void
}

interface RowsRequest {
  readonly text: string
  /** Prepares the statement under this name. */
  readonly name?: string
  readonly values: readonly string[]
}

/** The statements that each connection has prepared. */
const prepared = new WeakMap<Sender, Set<string>>()

export class RowsQuery extends Submittable<Sender> {
  readonly #request: RowsRequest
  readonly #onRow: (row: string) => void
  #sender: Sender | undefined

  constructor(request: RowsRequest, timeoutMs: number, onRow: (row: string) => void) {
    super(timeoutMs)
    this.#request = request
    this.#onRow = onRow
  }

  submit(sender: Sender): void {
    const { text, name = '', values } = this.#request
    this.#sender = sender
    // Sends all messages with one system call.
    sender.stream?.cork?.()
    try {
      this.#send(sender, text, name, values)
    } finally {
      sender.stream?.uncork?.()
    }
  }

  #send(sender: Sender, text: string, name: string, values: readonly string[]): void {
    if (name === '') sender.parse({ text, name })
    else if (!prepared.get(sender)?.has(name)) {
      // It exists if its first run failed after it was prepared. Closing a statement that does not exist is no error.
      sender.close({ type: 'S', name })
      sender.parse({ text, name })
    }
    sender.bind({ values, statement: name })
    sender.describe({ type: 'P', name: '' })
    sender.execute({})
    sender.sync()
  }

  handleDataRow({ fields: [row] }: { readonly fields: readonly [string] }): void {
    this.#onRow(row)
  }

  override handleReadyForQuery(): void {
    const { name } = this.#request
    if (this.#sender !== undefined && name !== undefined) {
      const names = prepared.get(this.#sender) ?? new Set()
      prepared.set(this.#sender, names.add(name))
    }
    super.handleReadyForQuery()
  }
}
