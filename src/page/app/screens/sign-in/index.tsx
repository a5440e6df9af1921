import type { ComponentChildren, RefObject } from 'preact'
import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { MeView } from '../../../../generated'
import { toRefusal } from '../../core/api/answers'
import { closeSignIn, resumeSession, type SignInOf, signIn, useSession } from '../../core/api/session'
import { keepAddress, useLocation } from '../../core/places/navigation'
import { passFocus } from '../../core/places/title'
import { config } from '../../core/tools/config'
import { hasDrafts } from '../../core/tools/drafts'
import * as times from '../../core/tools/times'
import { Button } from '../../parts/controls/button'
import { Field } from '../../parts/controls/field'
import { Icon } from '../../parts/marks/icon'
import { withReturnTo } from './return-to'
import './sign-in.css'

/** Covers the page while no user is signed in. */
export function SignIn() {
  const session = useSession()
  const { me } = session
  const wants = session.status === 'out' ? session.wants : undefined
  return config.signIn === 'key' && wants !== 'proxy' ? <KeySignIn me={me} /> : <HostSignIn me={me} wants={wants} />
}

/** Links to the sign-in of the host app or of a proxy, and checks the session again when users return. */
function HostSignIn({ me, wants }: { readonly me: MeView | undefined; readonly wants: SignInOf }) {
  const main = useArrival()
  const { message, busy, askAgain } = useAskAgain()
  const address = signInAddress(wants)
  return (
    <main class="sign" ref={main}>
      <div class="sign-in">
        <div class="panel sign-card">
          <SignInHeading title={me === undefined ? 'Sign in first' : 'You are signed out'}>
            {words[wants ?? 'host']}
          </SignInHeading>
          {address !== null && (
            <a
              class="btn primary wide"
              href={address}
              target={me === undefined ? undefined : '_blank'}
              rel="noopener"
              onClick={keepAddress}
            >
              Sign in
            </a>
          )}
          <Button size="wide" busy={busy && 'Checking…'} onClick={() => void askAgain()}>
            I am signed in
          </Button>
          <p class="muted small" role="status">
            {message || (address === null ? 'Sign in with the host in another tab, then come back here.' : '')}
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
  // With its hash, it would be a place in the document that is loaded.
  return wants === 'proxy' ? (window.location.href.split('#', 1)[0] ?? null) : null
}

const words = {
  host: 'This page uses the sign-in of its host.',
  key: "The API accepts API keys only. To use them here, set signIn: 'key' in reviewPage().",
  proxy: 'A proxy in front of the app requires a sign-in: the API redirected the page, or returned HTML.',
}

/** Checks whether a user is signed in now, also when the user returns from another tab. */
function useAskAgain() {
  const [message, setMessage] = useState('')
  const [busy, setBusy] = useState(false)
  const askAgain = useCallback(async () => {
    setBusy(true)
    setMessage('')
    try {
      await resumeSession()
    } catch (error) {
      setMessage(toRefusal(error).kind === 'signedOut' ? 'You are not signed in yet.' : 'No response. Try again.')
    }
    setBusy(false)
  }, [])
  useLayoutEffect(() => {
    const check = () => document.visibilityState === 'visible' && void askAgain()
    document.addEventListener('visibilitychange', check)
    return () => document.removeEventListener('visibilitychange', check)
  }, [])
  return { message, busy, askAgain }
}

/** Puts the focus on the form that covers the page, and names the document; afterwards the focus goes back. */
function useArrival(): RefObject<HTMLElement | null> {
  const element = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const [before, title] = [document.activeElement, document.title]
    passFocus()
    document.title = `Sign in · ${config.title}`
    // A dialog behind it, which would keep the focus, is closed by the same rendering.
    queueMicrotask(() => element.current?.querySelector<HTMLElement>('a, button, input')?.focus())
    return () => {
      if (document.title.startsWith('Sign in')) document.title = title
      // The content behind the form can be reached again when the frame is rendered.
      requestAnimationFrame(() => {
        const heading = document.querySelector<HTMLElement>('main h1')
        const next = before instanceof HTMLElement && before !== document.body && before.isConnected ? before : heading
        if (document.activeElement === document.body) next?.focus()
      })
    }
  }, [])
  return element
}

/** Where a person goes on after signing in, and that nothing they wrote is lost. */
function Return({ me }: { readonly me: MeView | undefined }) {
  const { place } = useLocation()
  const where = place.screen === 'request' ? `#${place.id} of ${place.project}` : undefined
  if (me === undefined && where === undefined) return null
  return (
    <div class="return small">
      <Icon name="undo" />
      <div>
        You continue where you were
        {where && (
          <>
            : <bdi class="strong">{where}</bdi>
          </>
        )}
        .{hasDrafts() && ' Your text is kept.'}
        {me !== undefined && (
          <p>
            <Button kind="quiet" size="tiny" onClick={closeSignIn}>
              Look at the page first
            </Button>
          </p>
        )}
      </div>
    </div>
  )
}

/** A form for the API key of a user. It is stored in the tab only. */
function KeySignIn({ me }: { readonly me: MeView | undefined }) {
  const [key, setKey] = useState('')
  const [shown, setShown] = useState(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const main = useArrival()
  const submit = async () => {
    if (busy) return
    setBusy(true)
    setError(key.trim() === '' ? 'Enter a key.' : await trySignIn(key.trim()))
    setBusy(false)
    main.current?.querySelector('input')?.focus()
  }
  return (
    <main class="sign" ref={main}>
      <form
        class="sign-in"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <div class="panel sign-card">
          <SignInHeading title={me === undefined ? 'Sign in with your key' : 'You are signed out'}>
            An API key of yours, from the host’s settings.
          </SignInHeading>
          <Field label="API key" error={error}>
            {(control) => (
              <div class="with-btn">
                <input
                  {...control}
                  class="input mono"
                  type={(shown ? 'text' : 'password') as 'password'}
                  autocomplete="off"
                  spellcheck={false}
                  placeholder="user:…"
                  value={key}
                  onInput={({ currentTarget }) => setKey(currentTarget.value)}
                />
                <Button aria-pressed={shown} onClick={() => setShown(!shown)}>
                  {shown ? 'Hide' : 'Show'}
                </Button>
              </div>
            )}
          </Field>
          <Button kind="primary" size="wide" submit busy={busy && 'Signing in…'}>
            Sign in
          </Button>
          <p class="muted small">Stored in this tab only, until you close it.</p>
        </div>
        <Return me={me} />
      </form>
    </main>
  )
}

/** What is wrong with the key, in words; undefined when it was taken. */
async function trySignIn(key: string): Promise<string | undefined> {
  try {
    await signIn(key)
    return undefined
  } catch (error) {
    const refusal = toRefusal(error)
    if (refusal.kind === 'signedOut')
      return 'This key is not known. A key of a person starts with “user:”. Nothing you wrote is lost.'
    if (refusal.kind === 'offline') return `No network at ${times.time(Date.now())}. Try again.`
    return 'message' in refusal ? refusal.message : 'No answer: the server is busy. Try again.'
  }
}

/** The head of both forms. */
function SignInHeading({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <>
      <p class="brand">
        <Icon name="approved" />
        <bdi>{config.title}</bdi>
      </p>
      <div>
        <h1>{title}</h1>
        <p class="muted">{children}</p>
      </div>
    </>
  )
}
