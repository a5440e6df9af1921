import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { MeView } from '../../../../generated'
import { toRefusal } from '../../core/api/answers'
import { resumeSession } from '../../core/api/session'
import { config } from '../../core/tools/config'
import { Button } from '../../parts/controls/button'
import { useArrival } from './arrival'
import { SignInHeading } from './heading'
import { Return } from './return'
import { withReturnTo } from './return-to'

interface HostSignInProps {
  readonly me: MeView | undefined
  /** Whether the API accepts API keys only. */
  readonly byKey: boolean | undefined
}

/** Links to the sign-in of the host app, and checks the session again when users return. */
export function HostSignIn({ me, byKey }: HostSignInProps) {
  const first = useArrival<HTMLElement>()
  const { said, busy, askAgain } = useAskAgain()
  return (
    <main class="sign">
      <div class="sign-in">
        <div class="panel sign-card">
          <SignInHeading title={me === undefined ? 'Sign in first' : 'You are signed out'}>
            {byKey
              ? "The API accepts API keys only. To use them here, set signIn: 'key' in reviewPage()."
              : 'This page uses the sign-in of its host.'}
          </SignInHeading>
          {config.signInUrl !== null && (
            <a
              ref={first as RefObject<HTMLAnchorElement>}
              class="btn primary wide"
              href={withReturnTo(config.signInUrl, window.location, config.base)}
              target={me === undefined ? undefined : '_blank'}
              rel="noopener"
            >
              Sign in
            </a>
          )}
          <Button
            ref={config.signInUrl === null ? (first as RefObject<HTMLButtonElement>) : undefined}
            size="wide"
            busy={busy && 'Checking…'}
            onClick={() => void askAgain()}
          >
            I am signed in
          </Button>
          <p class="help" role="status">
            {said || (config.signInUrl === null ? 'Sign in with the host in another tab, then come back here.' : '')}
          </p>
        </div>
        <Return me={me} />
      </div>
    </main>
  )
}

/** Checks whether a user is signed in now. */
function useAskAgain() {
  const [said, setSaid] = useState('')
  const [busy, setBusy] = useState(false)
  const askAgain = async () => {
    setBusy(true)
    setSaid('')
    try {
      await resumeSession()
    } catch (error) {
      setSaid(toRefusal(error).kind === 'signedOut' ? 'You are not signed in yet.' : 'No answer. Try again.')
    }
    setBusy(false)
  }
  useReturnToTab(askAgain)
  return { said, busy, askAgain }
}

/** Who comes back from another tab has often signed in there. */
function useReturnToTab(ask: () => Promise<void>): void {
  const latest = useRef(ask)
  latest.current = ask
  useLayoutEffect(() => {
    const check = () => document.visibilityState === 'visible' && void latest.current()
    document.addEventListener('visibilitychange', check)
    return () => document.removeEventListener('visibilitychange', check)
  }, [])
}
