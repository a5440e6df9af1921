import type { ComponentChildren, RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { MeView } from '../../../../generated'
import { toRefusal } from '../../core/api/answers'
import { resumeSession, type SignInOf, signIn, useSession } from '../../core/api/session'
import { closeSignIn } from '../../core/api/sign-in'
import { useLocation } from '../../core/places/navigation'
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

interface HostSignInProps {
  readonly me: MeView | undefined
  readonly wants: SignInOf
}

/** Links to the sign-in of the host app or of a proxy, and checks the session again when users return. */
function HostSignIn({ me, wants }: HostSignInProps) {
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

/** Puts the focus on the form that covers the page, and names the document; afterwards the focus goes back. */
function useArrival<T extends HTMLElement>(): RefObject<T | null> {
  const element = useRef<T>(null)
  useLayoutEffect(() => {
    const [before, title] = [document.activeElement, document.title]
    passFocus()
    document.title = `Sign in · ${config.title}`
    // A window behind it, which would keep the focus, is closed by this drawing too.
    queueMicrotask(() => element.current?.focus())
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
    <div class="return">
      <Icon name="undo" />
      <div>
        You continue where you were
        {where && (
          <>
            :{' '}
            <b>
              <bdi>{where}</bdi>
            </b>
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
  const { field, busy, submit } = useKeyForm()
  return (
    <main class="sign">
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
          <KeyField {...field} />
          <Button kind="primary" size="wide" submit busy={busy && 'Signing in…'}>
            Sign in
          </Button>
          <p class="help">Kept in this tab alone, and gone when you close it.</p>
        </div>
        <Return me={me} />
      </form>
    </main>
  )
}

function useKeyForm() {
  const [key, setKey] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const input = useArrival<HTMLInputElement>()
  const submit = async () => {
    if (busy) return
    const text = key.trim()
    if (text === '') setError('Enter a key.')
    else {
      setBusy(true)
      setError(await trySignIn(text))
      setBusy(false)
    }
    input.current?.focus()
  }
  return { field: { value: key, error, input, onInput: setKey }, busy, submit }
}

interface KeyFieldProps {
  readonly value: string
  readonly error: string | undefined
  readonly input: RefObject<HTMLInputElement | null>
  readonly onInput: (value: string) => void
}

function KeyField({ value, error, input, onInput }: KeyFieldProps) {
  const [shown, setShown] = useState(false)
  return (
    <Field label="API key" error={error}>
      {(control) => (
        <div class="with-btn">
          <input
            {...control}
            ref={input}
            class="input mono"
            type={(shown ? 'text' : 'password') as 'password'}
            autocomplete="off"
            spellcheck={false}
            placeholder="user:…"
            value={value}
            onInput={({ currentTarget }) => onInput(currentTarget.value)}
          />
          <Button aria-pressed={shown} onClick={() => setShown(!shown)}>
            {shown ? 'Hide' : 'Show'}
          </Button>
        </div>
      )}
    </Field>
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
