import { useLayoutEffect, useState } from 'preact/hooks'
import type { Loaded } from '../core/api/query'
import { type Failure, retry } from '../core/api/retry'
import { openSignIn, resumeSession, useSession, useSignInOpen } from '../core/api/session'
import { config } from '../core/tools/config'
import { LoadFailed } from '../parts/messages/load-failed'
import { SignIn } from '../screens'

/** Finds out who calls, and covers the page with the sign-in form while no user is signed in. */
export function SignInGate({ resuming }: { readonly resuming: Resuming }) {
  const session = useSession()
  const open = useSignInOpen()
  useLayoutEffect(() => {
    if (session.status === 'out') openSignIn()
  }, [session.status])
  if (resuming.error !== undefined && session.status === 'unknown') return <Trouble resuming={resuming} />
  if (session.status !== 'out' || !open) return null
  return <SignIn />
}

type Resuming = Pick<Loaded<void>, 'error' | 'refresh'>

/** Asks who calls until there is an answer. */
export function useResume(): Resuming {
  const [error, setError] = useState<Failure>()
  const [round, setRound] = useState(0)
  useLayoutEffect(() => {
    const own = new AbortController()
    retry(resumeSession, own.signal, setError).catch((refusal) => own.signal.aborted || setError(refusal))
    return () => own.abort()
  }, [round])
  return { error, refresh: async () => setRound((count) => count + 1) }
}

/** The caller is unknown, and why. */
function Trouble({ resuming }: { readonly resuming: Resuming }) {
  return (
    <main class="sign">
      <h1 class="vh">{config.title}</h1>
      <div class="sign-in" role="status">
        <LoadFailed loaded={resuming} subject="who you are" />
      </div>
    </main>
  )
}
