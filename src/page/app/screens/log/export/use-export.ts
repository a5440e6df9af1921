import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type ExportProgress, exportEvents } from '../../../../../client/event-export'
import { type Refusal, toRefusal } from '../../../core/api/answers'
import { sender } from '../../../core/api/session'
import { say } from '../../../parts/messages/status-line'
import { counted } from '../../../words/numbers'
import type { ShownFilter } from '../search/filter'
import { toTimedQuery } from '../search/zone'
import { type Format, fileName, formats, mediaTypes } from './formats'
import { openFile } from './save-file'
import { jsonWriter } from './to-json'

/** What is exported, and how far it is. */
export interface Export {
  readonly filter: ShownFilter
  readonly format: Format
  /** How many events there will be; undefined where that is not known exactly. */
  readonly expected: number | undefined
  readonly progress: ExportProgress
  readonly status: 'running' | 'done' | 'failed'
  readonly refusal: Refusal | undefined
  readonly file: string
}

type Wanted = Pick<Export, 'filter' | 'format' | 'expected'>

/** More bytes than a tab should hold: a file of this many events is written directly to the disk, where the browser can. */
const bigExport = 100_000

/** One export at a time: a further one takes the place of the first. */
export function useExport() {
  const [state, setState] = useState<Export>()
  const running = useRef<AbortController>(undefined)
  const start = useCallback(async (wanted: Wanted) => {
    running.current?.abort()
    const own = new AbortController()
    running.current = own
    const file = fileName(wanted.filter, wanted.format)
    const set = (change: Partial<Export>) => {
      if (!own.signal.aborted) setState((present) => present && { ...present, ...change })
    }
    const first = { ...wanted, file, progress: { events: 0, bytes: 0 }, status: 'running', refusal: undefined } as const
    try {
      await save(
        wanted,
        file,
        own.signal,
        () => setState(first),
        (progress) => set({ progress }),
      )
      set({ status: 'done' })
      say('The export is done.')
    } catch (error) {
      if (own.signal.aborted || (error instanceof DOMException && error.name === 'AbortError')) return
      set({ status: 'failed', refusal: toRefusal(error) })
      say('The export failed.')
    }
  }, [])
  const stop = useCallback(() => {
    running.current?.abort()
    setState(undefined)
  }, [])
  useLayoutEffect(() => () => running.current?.abort(), [])
  return { state, start, stop }
}

async function save(
  { filter, format, expected }: Wanted,
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
