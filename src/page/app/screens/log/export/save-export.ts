import { type ExportProgress, exportEvents } from '../../../../../client/exports'
import { sender } from '../../../core/api/session'
import { say } from '../../../parts/messages/status-line'
import { counted } from '../../../words/numbers'
import type { ShownFilter } from '../search/filter'
import { toTimedQuery } from '../search/zone'
import { type Format, formats } from './formats'
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
  const { name, mediaType = '' } = formats.find((one) => one.format === format) ?? {}
  const target = await openFile(file, mediaType, expected === undefined || expected > bigExport)
  onBegin()
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

/** Takes the bytes of a file as they come. */
export interface FileTarget {
  write(bytes: Uint8Array): Promise<void>
  /** The file is whole. */
  save(): Promise<void>
  /** Leaves nothing behind. */
  drop(): Promise<void>
}

interface SavePicker {
  showSaveFilePicker?: (options: { suggestedName: string }) => Promise<FileSystemFileHandle>
}

/**
 * A file of the browser's downloads. A big one goes directly to the disk where the browser can do that. The browser then
 * lets the user choose the file, so call it within the press. @throws AbortError when the person chose no place
 */
export async function openFile(name: string, type: string, isBig: boolean): Promise<FileTarget> {
  const { showSaveFilePicker } = window as SavePicker
  if (!isBig || showSaveFilePicker === undefined) return inMemory(name, type)
  const handle = await showSaveFilePicker.call(window, { suggestedName: name })
  const file = await handle.createWritable()
  return { write: (bytes) => file.write(bytes as BufferSource), save: () => file.close(), drop: () => file.abort() }
}

function inMemory(name: string, type: string): FileTarget {
  let parts: BlobPart[] = []
  return {
    async write(bytes) {
      parts.push(bytes as BlobPart)
      // Many small pieces cost more than they hold: a Blob of them can leave the heap.
      if (parts.length > 1_000) parts = [new Blob(parts)]
    },
    async save() {
      const address = URL.createObjectURL(new Blob(parts, { type }))
      const link = document.createElement('a')
      link.href = address
      link.download = name
      link.click()
      setTimeout(() => URL.revokeObjectURL(address), 60_000)
    },
    async drop() {
      parts = []
    },
  }
}
