import type { ComponentChildren } from 'preact'
import { openSignIn } from '../../core/api/session'
import { Button } from '../controls/button'
import { Icon, type IconName } from '../marks/icon'

export type Tone = 'info' | 'ok' | 'care' | 'stop' | 'plain'

interface NoticeProps {
  readonly tone: Tone
  readonly icon: IconName
  readonly title: ComponentChildren
  /** Buttons and links below the text. */
  readonly actions?: ComponentChildren
  readonly children?: ComponentChildren
}

/** What happened or is missing, and what to do about it. */
export function Notice({ tone, icon, title, actions, children }: NoticeProps) {
  return (
    <div class={`notice n-${tone}`}>
      <Icon name={icon} />
      <div>
        <h2>{title}</h2>
        {children && <div class="soft">{children}</div>}
        {actions && <div class="acts flow">{actions}</div>}
      </div>
    </div>
  )
}

/** How a notice begins where no answer came. */
export const noAnswer = {
  busy: { tone: 'care', icon: 'refresh', title: 'Reconnecting: the server is unavailable or busy' },
  offline: { tone: 'plain', icon: 'offline', title: 'No network' },
} as const

/** The session has ended: the way back in. */
export function SignedOut({ children }: Pick<NoticeProps, 'children'>) {
  const signIn = (
    <Button kind="primary" onClick={openSignIn}>
      Sign in
    </Button>
  )
  return (
    <Notice tone="plain" icon="key" title="You are signed out" actions={signIn}>
      {children}
    </Notice>
  )
}

interface EmptyProps {
  readonly icon: IconName
  readonly title: ComponentChildren
  readonly actions?: ComponentChildren
  readonly children?: ComponentChildren
}

/** In the place of a list or screen that has nothing to show. */
export function Empty({ icon, title, actions, children }: EmptyProps) {
  return (
    <div class="empty">
      <Icon name={icon} />
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {actions && <div class="chips flow">{actions}</div>}
    </div>
  )
}

/** While something is loaded that was never shown before; it says nothing in the first moments. */
export function Loading({ subject }: { readonly subject: string }) {
  return (
    <p class="loading" role="status">
      Loading {subject}…
    </p>
  )
}
