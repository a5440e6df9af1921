import type { RefObject } from 'preact'
import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { ExportProgress } from '../../../../../client/exports'
import { type Refusal, toRefusal } from '../../../core/api/answers'
import { useKeys } from '../../../core/tools/keys'
import { Button } from '../../../parts/controls/button'
import { closeMenu, Menu } from '../../../parts/controls/menu'
import { Icon } from '../../../parts/marks/icon'
import { say } from '../../../parts/messages/status-line'
import { count, counted } from '../../../words/numbers'
import { byteWords, type Format, fileName, formats } from './formats'
import type { WantedExport } from './save-export'

interface ExportMenuProps {
  /** How many events it has, such as `4,812 events`. */
  readonly amount: string
  /** There may be more. */
  readonly isAbout: boolean
  /** Of what, such as `of Wed 18 Nov, in shop`. */
  readonly phrase: string
  readonly onExport: (format: Format) => void
}

/** Saves what is filtered as a file. */
export function ExportMenu({ amount, isAbout, phrase, onExport }: ExportMenuProps) {
  const menu = useRef<HTMLDetailsElement>(null)
  useKeys({ e: { label: 'export', run: () => openMenu(menu) } })
  return (
    <Menu
      menu={menu}
      class=""
      button={
        <>
          <Icon name="download" />
          Export
          <Icon name="chevronDown" />
        </>
      }
    >
      <div class="soft small">
        <p>
          The file has <b>{amount}</b>. Filters: <bdi>{phrase || 'none, the whole log'}</bdi>. It contains who did what,
          when and where, with all values before and after.
          {isAbout && ' The events were counted so far; the end of the file has their number.'}
        </p>
        <p>
          It has no comments and no titles of change requests, no events that you cannot read, and IP addresses only if
          your app records them.
        </p>
      </div>
      {formats.map(({ format, name, use }) => (
        <button
          key={format}
          type="button"
          onClick={() => {
            closeMenu(menu)
            onExport(format)
          }}
        >
          <b>{name}</b>
          <span class="muted small">{use}</span>
        </button>
      ))}
    </Menu>
  )
}

/** Opens a menu of the log, and its first choice has the focus. */
export function openMenu({ current }: RefObject<HTMLDetailsElement | null>): void {
  if (current === null) return
  current.open = true
  current.querySelector('button')?.focus()
}

interface ExportToastProps {
  readonly state: Export
  readonly onStop: () => void
  readonly onRetry: () => void
}

/** The progress of an export. It covers a part of the page. */
export function ExportToast({ state, onStop, onRetry }: ExportToastProps) {
  const { status, format, progress, expected, file, refusal } = state
  const name = formats.find((one) => one.format === format)?.name
  const events = Math.min(progress.events, expected ?? progress.events)
  const isRunning = status === 'running'
  const titles = { running: `Exporting ${name}`, done: `${name} is saved`, failed: 'The export failed' }
  const amount = expected === undefined ? counted(events, 'event') : `${count(events)} of ${counted(expected, 'event')}`
  const words = { running: amount, done: file, failed: `Nothing was saved. ${reason(refusal)}` }[status]
  return (
    <section class="toast" aria-label="Export">
      <div class="split">
        <b>{titles[status]}</b>
        <Button size="tiny" onClick={onStop}>
          {isRunning ? 'Stop' : 'Close'}
        </Button>
      </div>
      {isRunning && (
        <progress {...(expected !== undefined && { max: Math.max(expected, 1), value: events })} aria-label="Export" />
      )}
      <bdi class="small muted">{status === 'failed' ? words : `${words}, ${byteWords(progress.bytes)}`}</bdi>
      {status === 'failed' && (
        <p>
          <Button size="tiny" onClick={onRetry}>
            Try again
          </Button>
        </p>
      )}
    </section>
  )
}

function reason(refusal: Export['refusal']): string {
  switch (refusal?.kind) {
    case 'offline':
      return 'The connection was lost.'
    case 'busy':
      return 'The server is busy.'
    case 'signedOut':
      return 'You are signed out.'
    default:
      return refusal !== undefined && 'message' in refusal ? refusal.message : ''
  }
}

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
      if (!own.signal.aborted) setState((current) => current && { ...current, ...change })
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
