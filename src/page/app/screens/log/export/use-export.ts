import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { ExportProgress } from '../../../../../client/event-export'
import { type Refusal, toRefusal } from '../../../core/api/answers'
import { say } from '../../../parts/messages/status-line'
import { fileName } from './formats'
import type { WantedExport } from './save-export'

/** What is exported, and how far it is. */
export interface Export extends WantedExport {
  readonly progress: ExportProgress
  readonly status: 'running' | 'done' | 'failed'
  readonly refusal: Refusal | undefined
  readonly file: string
}

/** One export at a time: a further one takes the place of the first. */
export function useExport() {
  const [state, setState] = useState<Export>()
  const running = useRef<AbortController>(undefined)
  const start = useCallback(async (wanted: WantedExport) => {
    running.current?.abort()
    const own = new AbortController()
    running.current = own
    const file = fileName(wanted.filter, wanted.format)
    const set = (change: Partial<Export>) => {
      if (!own.signal.aborted) setState((present) => present && { ...present, ...change })
    }
    const first = { ...wanted, file, progress: { events: 0, bytes: 0 }, status: 'running', refusal: undefined } as const
    try {
      // Its code is loaded with the first export.
      const { saveExport } = await import('./save-export')
      await saveExport(
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
