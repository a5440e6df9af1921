import { useLayoutEffect } from 'preact/hooks'
import { startLive } from './core/api/live'
import { useSession, useSigningIn } from './core/api/session'
import { type Place, useLocation } from './core/places/navigation'
import { Frame } from './frame'
import { Safe } from './frame/safe'
import { SignInGate, useResume } from './frame/sign-in-gate'
import './parts/marks/unseen'
import { Loading } from './parts/messages/notice'
import { StatusLine } from './parts/messages/status-line'
import { screens } from './screens'

/** The page: the frame with the screen of the address in it, or the form to sign in. */
export function App() {
  const { place } = useLocation()
  const session = useSession()
  const behind = useSigningIn()
  const resuming = useResume()
  // Until the user is known, the frame is rendered without anything of theirs.
  const hasFrame = session.status === 'unknown' ? resuming.error === undefined : session.me !== undefined
  useLayoutEffect(startLive, [])
  return (
    <>
      <SignInGate resuming={resuming} />
      {hasFrame && (
        <Frame place={place} behind={behind}>
          <Shown key={session.me?.id} place={place} isKnown={session.me !== undefined} />
        </Frame>
      )}
      <StatusLine />
    </>
  )
}

/** The screen of a place. */
function Shown({ place, isKnown }: { readonly place: Place; readonly isKnown: boolean }) {
  const Screen = screens[place.screen]
  // The screen shows the error.
  useLayoutEffect(() => void Screen.load().catch(() => undefined), [Screen])
  if (!isKnown) return <Loading subject="the page" />
  return (
    <Safe key={keyOf(place)}>
      <Screen place={place} />
    </Safe>
  )
}

const keyOf = (place: Place): string => Object.values(place).join('/')
