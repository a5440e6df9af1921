import type { Loaded } from '../../core/api/query'
import { Button } from '../controls/button'
import { Countdown } from './countdown'
import { MissingList } from './missing-list'
import { Notice, noAnswer, SignedOut } from './notice'

interface LoadFailedProps {
  readonly loaded: Pick<Loaded<unknown>, 'error' | 'refresh'>
  /** What could not be read, such as `the change request`. */
  readonly subject: string
  /** Next to the server's message about something that does not exist. */
  readonly ifGone?: string | undefined
}

/** In the place of something that could not be read: why, and what to do. */
export function LoadFailed({ loaded, subject, ifGone }: LoadFailedProps) {
  const { error, refresh } = loaded
  if (error === undefined) return null
  const again = <Button onClick={() => void refresh()}>Try again</Button>
  const wait =
    error.retryAt === undefined ? null : (
      <>
        Retrying <Countdown to={error.retryAt} />.
      </>
    )
  if (error.kind === 'signedOut') return <SignedOut>Sign in to see {subject}.</SignedOut>
  if (error.kind === 'busy' || error.kind === 'offline') {
    return (
      <Notice {...noAnswer[error.kind]} actions={again}>
        {wait}
      </Notice>
    )
  }
  if (error.kind === 'gone') {
    return (
      <Notice tone="plain" icon="info" title="Not found">
        {error.message} {ifGone}
      </Notice>
    )
  }
  const message = 'message' in error ? error.message : null
  if (error.kind !== 'forbidden') {
    return (
      <Notice tone="stop" icon="stop" title={`Could not read ${subject}`} actions={again}>
        {message}
      </Notice>
    )
  }
  return (
    <Notice tone="stop" icon="lock" title={`You can't read ${subject}`}>
      {error.missing.length > 0 ? <MissingList missing={error.missing} /> : message}
    </Notice>
  )
}
