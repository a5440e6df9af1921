import { Submittable } from './submittable'

/** The part of a pg connection that sends a query without parameters. */
interface Sender {
  query(text: string): void
}

/** The signature, the flags, and the length of an extension that no version of Postgres uses. */
const fileHeaderBytes = 11 + 4 + 4
/** The number of columns and the length of the only column. */
export const rowHeaderBytes = 6

/**
 * Copies the rows of a query with one column of text. The driver decodes a selected row into a string, but passes on a copied
 * one as bytes: for a large page this takes less CPU time and no memory per row.
 */
export class CopyQuery extends Submittable<Sender> {
  readonly #select: string
  readonly #onRow: (message: Buffer) => void
  #isFirst = true

  /** @param onRow receives each row, after {@link rowHeaderBytes}. The bytes are only valid during the call. */
  constructor(select: string, timeoutMs: number, onRow: (message: Buffer) => void) {
    super(timeoutMs)
    this.#select = select
    this.#onRow = onRow
  }

  submit(sender: Sender): void {
    sender.query(`copy (${this.#select}) to stdout (format binary)`)
  }

  /** The server sends one message for each row; the first one begins with the header of the file, the last one has no row. */
  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    const message = this.#isFirst ? chunk.subarray(fileHeaderBytes) : chunk
    this.#isFirst = false
    if (message.length > rowHeaderBytes) this.#onRow(message)
  }
}
