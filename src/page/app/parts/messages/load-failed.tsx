import { useEffect, useState } from 'preact/hooks'
import type { StepCode } from '../../../../generated'
import type { Missing } from '../../core/api/answers'
import type { Loaded } from '../../core/api/query'
import { Button } from '../controls/button'
import { Icon, type IconName } from '../marks/icon'
import { Loading, Notice, noAnswer, SignedOut } from './notice'

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

/** In the place of something that was not read yet: that it is loading, or why it could not be read. */
export function NotLoaded(props: LoadFailedProps) {
  return props.loaded.error ? <LoadFailed {...props} /> : <Loading subject={props.subject} />
}

/** `in 4 s`, counting down; it is not read out each second. */
export function Countdown({ to }: { readonly to: number }) {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const left = Math.ceil((to - now) / 1_000)
  return <span aria-live="off">{left > 0 ? `in ${left} s` : 'now'}</span>
}

const icons: { readonly [code in StepCode]?: readonly [icon: IconName, tone: string] } = {
  'missing-approvals': ['users', 'care'],
  conflict: ['stop', 'stop'],
  overwrite: ['warn', 'care'],
}

/** What is missing, in the sentences of the server. */
export function MissingList({ missing }: { readonly missing: readonly Missing[] }) {
  return (
    <ul class="missing">
      {missing.map(({ code = '', message }) => {
        const [icon, tone] = icons[code as StepCode] ?? (['info', ''] as const)
        return (
          <li key={`${code} ${message}`} class={tone || undefined}>
            <Icon name={icon} />
            <span>{message}</span>
          </li>
        )
      })}
    </ul>
  )
}
