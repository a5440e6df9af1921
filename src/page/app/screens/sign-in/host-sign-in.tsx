import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { MeView } from '../../../../generated'
import { toRefusal } from '../../core/api/answers'
import { resumeSession, type SignInOf } from '../../core/api/session'
import { config } from '../../core/tools/config'
import { Button } from '../../parts/controls/button'
import { useArrival } from './arrival'
import { SignInHeading } from './heading'
import { Return } from './return'
import { withReturnTo } from './return-to'

interface HostSignInProps {
  readonly me: MeView | undefined
  readonly wants: SignInOf
}

/** Links to the sign-in of the host app or of a proxy, and checks the session again when users return. */
export function HostSignIn({ me, wants }: HostSignInProps) {
  const first = useArrival<HTMLElement>()
  const { said, busy, askAgain } = useAskAgain()
  const address = signInAddress(wants)
  return (
    <main class="sign">
      <div class="sign-in">
        <div class="panel sign-card">
          <SignInHeading title={me === undefined ? 'Sign in first' : 'You are signed out'}>
            {words[wants ?? 'host']}
          </SignInHeading>
          {address !== null && (
            <a
              ref={first as RefObject<HTMLAnchorElement>}
              class="btn primary wide"
              href={address}
              target={me === undefined ? undefined : '_blank'}
              rel="noopener"
            >
              Sign in
            </a>
          )}
          <Button
            ref={address === null ? (first as RefObject<HTMLButtonElement>) : undefined}
            size="wide"
            busy={busy && 'Checking…'}
            onClick={() => void askAgain()}
          >
            I am signed in
          </Button>
          <p class="help" role="status">
            {said || (address === null ? 'Sign in with the host in another tab, then come back here.' : '')}
          </p>
        </div>
        <Return me={me} />
      </div>
    </main>
  )
}

/** A proxy asks anyone who loads a document to sign in, and returns to it. */
function signInAddress(wants: SignInOf): string | null {
  if (config.signInUrl !== null) return withReturnTo(config.signInUrl, window.location, config.base)
  return wants === 'proxy' ? window.location.href : null
}

const words = {
  host: 'This page uses the sign-in of its host.',
  key: "The API accepts API keys only. To use them here, set signIn: 'key' in reviewPage().",
  proxy: 'A proxy in front of the app requires a sign-in: the API redirected the page, or returned HTML.',
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
