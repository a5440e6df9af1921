import { Button } from '../../../parts/controls/button'
import { count, counted } from '../../../words/numbers'
import { byteWords, formats } from './formats'
import type { Export } from './use-export'

interface ExportToastProps {
  readonly state: Export
  readonly onStop: () => void
  readonly onRetry: () => void
}

/** How far an export is; the one thing that stands over the page. */
export function ExportToast({ state, onStop, onRetry }: ExportToastProps) {
  const { status, format, progress, expected, file, refusal } = state
  const name = formats.find((one) => one.format === format)?.name
  const events = Math.min(progress.events, expected ?? progress.events)
  if (status === 'running') {
    const amount =
      expected === undefined ? counted(events, 'event') : `${count(events)} of ${counted(expected, 'event')}`
    return (
      <section class="toast" aria-label="Export">
        <div class="split">
          <b>Exporting {name}</b>
          <Button size="tiny" onClick={onStop}>
            Stop
          </Button>
        </div>
        <progress {...(expected !== undefined && { max: Math.max(expected, 1), value: events })} aria-label="Export" />
        <span class="small muted">
          {amount}, {byteWords(progress.bytes)}
        </span>
      </section>
    )
  }
  return (
    <section class="toast" aria-label="Export">
      <div class="split">
        <b>{status === 'done' ? `${name} is saved` : 'The export failed'}</b>
        <Button size="tiny" onClick={onStop}>
          Close
        </Button>
      </div>
      <span class="small muted">
        {status === 'done' ? (
          <bdi>{`${file}, ${byteWords(progress.bytes)}`}</bdi>
        ) : (
          `Nothing was saved. ${reason(refusal)}`
        )}
      </span>
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
