import { closeSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { type LoggedEvent, parsed, readEvents } from './lines'

/** Finds the events of a folder by id, without keeping them in memory. */
export class EventIndex {
  readonly #file: number
  readonly #ids: number[] = []
  /** Where each event begins, and where the last one ends. */
  readonly #offsets = [0]
  #referred = new Uint8Array(0)

  private constructor(file: number) {
    this.#file = file
  }

  /** @throws Error for a line that is not JSON, or an id that does not increase */
  static async open(folder: string, each: (event: LoggedEvent) => void): Promise<EventIndex> {
    const path = join(folder, 'events.ndjson')
    const index = new EventIndex(openSync(path, 'r'))
    try {
      for await (const { bytes, event } of readEvents(path)) {
        const before = index.#ids.at(-1) ?? 0
        if (!(event.id > before)) throw new Error(`event ${event.id} is behind event ${before}`)
        index.#ids.push(event.id)
        index.#offsets.push((index.#offsets.at(-1) as number) + bytes.length + 1)
        each(event)
      }
    } catch (error) {
      index.close()
      throw error
    }
    index.#referred = new Uint8Array(index.#ids.length)
    return index
  }

  /** Undefined if the folder does not have it. */
  read(id: number): LoggedEvent | undefined {
    const at = this.#positionOf(id)
    if (at === undefined) return undefined
    const [begin, end] = [this.#offsets[at] as number, this.#offsets[at + 1] as number]
    const bytes = Buffer.alloc(end - begin - 1)
    readSync(this.#file, bytes, 0, bytes.length, begin)
    return parsed(bytes)
  }

  refer(id: number): void {
    const at = this.#positionOf(id)
    if (at !== undefined) this.#referred[at] = 1
  }

  /** The ids of the events that nothing refers to. */
  *unreferred(): Generator<number> {
    for (const [at, id] of this.#ids.entries()) if (this.#referred[at] === 0) yield id
  }

  close(): void {
    closeSync(this.#file)
  }

  #positionOf(id: number): number | undefined {
    let [low, high] = [0, this.#ids.length - 1]
    while (low <= high) {
      const middle = (low + high) >> 1
      const found = this.#ids[middle] as number
      if (found === id) return middle
      if (found < id) low = middle + 1
      else high = middle - 1
    }
    return undefined
  }
}
