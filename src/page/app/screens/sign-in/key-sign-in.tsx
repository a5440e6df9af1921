import type { RefObject } from 'preact'
import { useState } from 'preact/hooks'
import type { MeView } from '../../../../generated'
import { toRefusal } from '../../core/api/answers'
import { signIn } from '../../core/api/session'
import * as times from '../../core/tools/times'
import { Button } from '../../parts/controls/button'
import { Field } from '../../parts/controls/field'
import { useArrival } from './arrival'
import { SignInHeading } from './heading'
import { Return } from './return'

/** A form for the API key of a user. It is stored in the tab only. */
export function KeySignIn({ me }: { readonly me: MeView | undefined }) {
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
