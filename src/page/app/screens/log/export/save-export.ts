import { type ExportProgress, exportEvents } from '../../../../../client/event-export'
import { sender } from '../../../core/api/session'
import { say } from '../../../parts/messages/status-line'
import { counted } from '../../../words/numbers'
import type { ShownFilter } from '../search/filter'
import { toTimedQuery } from '../search/zone'
import { type Format, formats, mediaTypes } from './formats'
import { openFile } from './save-file'
import { jsonWriter } from './to-json'

/** What is exported. */
export interface WantedExport {
  readonly filter: ShownFilter
  readonly format: Format
  /** How many events there will be; undefined where that is not known exactly. */
  readonly expected: number | undefined
}

/** More bytes than a tab should hold: a file of this many events is written directly to the disk, where the browser can. */
const bigExport = 100_000

/** Requests the events, and writes them into a file. */
export async function saveExport(
  { filter, format, expected }: WantedExport,
  file: string,
  signal: AbortSignal,
  onBegin: () => void,
  onProgress: (progress: ExportProgress) => void,
): Promise<void> {
  const target = await openFile(file, mediaTypes[format], expected === undefined || expected > bigExport)
  onBegin()
  const name = formats.find((one) => one.format === format)?.name
  say(`Exporting ${expected === undefined ? name : `${counted(expected, 'event')} as ${name}`}.`)
  try {
    const wire = format === 'csv' ? 'csv' : 'ndjson'
    const stream = await exportEvents(sender, toTimedQuery(filter), {
      format: wire,
      signal,
      onProgress: seldom(onProgress),
    })
    const json = format === 'json' ? jsonWriter() : undefined
    const reader = stream.getReader()
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      signal.throwIfAborted()
      for (const bytes of json?.add(piece.value) ?? [piece.value]) await target.write(bytes)
    }
    for (const bytes of json?.end() ?? []) await target.write(bytes)
    await target.save()
  } catch (error) {
    await target.drop()
    throw error
  }
}

/** Ten times a second is often enough to be seen; the last one always comes. */
function seldom(onProgress: (progress: ExportProgress) => void): (progress: ExportProgress) => void {
  let isWaiting = false
  let latest: ExportProgress
  return (progress) => {
    latest = progress
    if (isWaiting) return
    isWaiting = true
    setTimeout(() => {
      isWaiting = false
      onProgress(latest)
    }, 100)
  }
}
