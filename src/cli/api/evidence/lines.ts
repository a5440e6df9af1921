import { createReadStream } from 'node:fs'
import type { EventView } from '../../../generated/index'
import { readRows } from '../export/rows'

/** An event as it is served: with everything that is stored. */
export type LoggedEvent = Required<Pick<EventView, 'createdByUserId' | 'data'>> & EventView

/** An event of the folder, and its line. */
export interface EventLine {
  readonly bytes: Buffer
  readonly event: LoggedEvent
}

/** The lines of a file, without their line breaks. @throws Error for a line that is not JSON; names the file and the line */
export async function* readLines(file: string): AsyncGenerator<Buffer> {
  const rows = readRows(createReadStream(file) as AsyncIterable<Buffer>, 'ndjson')
  for await (const { bytes, isWhole } of rows) yield isWhole ? bytes.subarray(0, -1) : bytes
}

export function parsed<Value>(bytes: Buffer): Value {
  return JSON.parse(bytes.toString())
}

export async function* readEvents(file: string): AsyncGenerator<EventLine> {
  for await (const bytes of readLines(file)) yield { bytes, event: parsed(bytes) }
}
