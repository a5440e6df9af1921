import { useLayoutEffect } from 'preact/hooks'
import { startLive } from './core/api/live'
import { useSession } from './core/api/session'
import { useSigningIn } from './core/api/sign-in'
import { type Place, useLocation } from './core/places/navigation'
import { Frame } from './frame'
import { Outdated } from './frame/outdated'
import { Safe } from './frame/safe'
import { SignInGate } from './frame/sign-in-gate'
import { Loading } from './parts/messages/notice'
import { StatusLine } from './parts/messages/status-line'
import { useScreen } from './screens'

/** The page: the frame with the screen of the address in it, or the form to sign in. */
export function App() {
  const { place } = useLocation()
  const session = useSession()
  const behind = useSigningIn()
  useLayoutEffect(startLive, [])
  return (
    <>
      <SignInGate />
      {(session.status === 'in' || session.me !== undefined) && (
        <Frame key={session.me?.id} place={place} behind={behind}>
          <Shown place={place} />
        </Frame>
      )}
      <StatusLine />
    </>
  )
}

/** The screen of a place; its code is loaded when it is first needed. */
function Shown({ place }: { readonly place: Place }) {
  const { Screen, failed } = useScreen(place.screen)
  if (failed) return <Outdated />
  if (Screen === undefined) return <Loading what="the page" />
  return (
    <Safe key={keyOf(place)}>
      <Screen place={place} />
    </Safe>
  )
}

const keyOf = (place: Place): string => (place.screen === 'request' ? `${place.project}/${place.id}` : place.screen)
