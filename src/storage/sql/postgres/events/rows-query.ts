import { Submittable } from './submittable'

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

/** Selects rows with one column of text. */
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
