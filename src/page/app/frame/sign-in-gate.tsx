import { useLayoutEffect, useState } from 'preact/hooks'
import { isPassing, type Refusal, toRefusal } from '../core/api/answers'
import { pause, waitFor } from '../core/api/network'
import { resumeSession, useSession } from '../core/api/session'
import { openSignIn, useSignInOpen } from '../core/api/sign-in'
import { useLocation } from '../core/places/navigation'
import { config } from '../core/tools/config'
import { LoadFailed } from '../parts/messages/load-failed'
import { Loading } from '../parts/messages/notice'
import { useScreen } from '../screens'
import { Outdated } from './outdated'

/** Finds out who calls, and stands over the page while nobody is signed in. */
export function SignInGate({ resuming }: { readonly resuming: Resuming }) {
  const session = useSession()
  const open = useSignInOpen()
  useLayoutEffect(() => {
    if (session.status === 'out') openSignIn()
  }, [session.status])
  if (resuming.refusal !== undefined && session.status === 'unknown') return <Trouble {...resuming} />
  if (session.status !== 'out' || !open) return null
  return <Form />
}

/** Its code is loaded when it is needed: most people are signed in. */
function Form() {
  const { place } = useLocation()
  const { Screen, failed } = useScreen('signIn')
  if (Screen !== undefined) return <Screen place={place} />
  return <main class="sign">{failed ? <Outdated /> : <Loading what="the page" />}</main>
}

interface Resuming {
  /** What is in the way. */
  readonly refusal: Refusal | undefined
  readonly retryAt: number | undefined
  retry(): void
}

/** Asks who calls until there is an answer. */
export function useResume(): Resuming {
  const [state, setState] = useState<Omit<Resuming, 'retry'>>({ refusal: undefined, retryAt: undefined })
  const [round, setRound] = useState(0)
  useLayoutEffect(() => {
    const own = new AbortController()
    void keepResuming(own.signal, setState)
    return () => own.abort()
  }, [round])
  return { ...state, retry: () => setRound((count) => count + 1) }
}

async function keepResuming(signal: AbortSignal, report: (state: Omit<Resuming, 'retry'>) => void): Promise<void> {
  for (let attempt = 1; !signal.aborted; attempt++) {
    try {
      return await resumeSession()
    } catch (error) {
      const refusal = toRefusal(error)
      const wait = waitFor(attempt, refusal.kind === 'offline')
      const again = isPassing(refusal)
      if (!signal.aborted) report({ refusal, retryAt: again ? Date.now() + wait : undefined })
      if (!again) return
      await pause(wait, signal)
    }
  }
}

function Trouble({ refusal, retryAt, retry }: Resuming) {
  return (
    <main class="sign">
      <h1 class="vh">{config.title}</h1>
      <div class="sign-in" role="status">
        <LoadFailed
          loaded={{
            error: refusal,
            retryAt,
            refresh: async () => retry(),
          }}
          what="who you are"
        />
      </div>
    </main>
  )
}
