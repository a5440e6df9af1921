import type { EventPage } from '../../../../ports/storage/events'
import { safeInteger } from '../../database/database'

const separatorLength = ',\n'.length
const idStart = ',\n{"id":'.length
const minBytes = 1 << 12
/** The maximum number of UTF-8 bytes for each `length` of a string. */
const maxBytesPerUnit = 3
/** Room for the header of the first row. */
const startOfPage = 8

/** Joins the rows of a page. Each row is an event with a leading comma and line feed. */
export class PageBuffer {
  #bytes: Buffer
  #length = startOfPage
  #lastRow = startOfPage
  #count = 0

  /** @param expectedBytes is the initial size. A page that fits is copied only once. */
  constructor(expectedBytes: number) {
    this.#bytes = Buffer.allocUnsafeSlow(Math.max(expectedBytes, minBytes))
  }

  appendText(row: string): void {
    // Counting the bytes takes as long as copying them, so it is left out where the row fits anyway.
    if (row.length * maxBytesPerUnit > this.#bytes.length - this.#length) this.#reserve(Buffer.byteLength(row))
    this.#addRow(this.#bytes.write(row, this.#length))
  }

  /**
   * Appends the message without its header. A view without the header would be one more object per row, for 10 MB more memory.
   * So the header is copied over the end of the previous row, which is then restored.
   */
  appendWithoutHeader(message: Uint8Array, headerBytes: 6): void {
    const rowBytes = message.length - headerBytes
    this.#reserve(rowBytes)
    const start = this.#length - headerBytes
    const overwritten = this.#bytes.readUIntBE(start, headerBytes)
    this.#bytes.set(message, start)
    this.#bytes.writeUIntBE(overwritten, start, headerBytes)
    this.#addRow(rowBytes)
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes
    if (needed <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }

  #addRow(bytes: number): void {
    this.#lastRow = this.#length
    this.#length += bytes
    this.#count += 1
  }

  toPage(): EventPage {
    const last = this.#bytes.subarray(this.#lastRow, this.#length)
    const lastId = this.#count === 0 ? 0 : safeInteger(last.toString('latin1', idStart, last.indexOf(',', idStart)))
    const json = this.#bytes.subarray(Math.min(startOfPage + separatorLength, this.#length), this.#length)
    return { count: this.#count, searched: this.#count, lastId, json }
  }
}
