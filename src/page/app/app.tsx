import type { ComponentType } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import { startLive } from './core/api/live'
import { useSession } from './core/api/session'
import { useSigningIn } from './core/api/sign-in'
import { type Place, useLocation } from './core/places/navigation'
import { Frame } from './frame'
import { Safe } from './frame/safe'
import { Unknown } from './frame/unknown'
import { Loading, StatusLine } from './parts'
import { type Screen, screens } from './screens'
import { SignInGate } from './screens/sign-in'

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

const loaded = new Map<string, Screen>()

/** The screen of a place; its code is loaded when it is first needed. */
function Shown({ place }: { readonly place: Place }) {
  const [, setLoaded] = useState(0)
  const [failed, setFailed] = useState<string>()
  const { screen } = place
  const Component: ComponentType<{ place: Place }> | undefined = loaded.get(screen)
  useLayoutEffect(() => {
    if (screen === 'unknown' || loaded.has(screen)) return
    setFailed(undefined)
    screens[screen]().then(
      (component) => {
        loaded.set(screen, component)
        setLoaded((count) => count + 1)
      },
      // Another screen may be shown by then.
      () => setFailed(screen),
    )
  }, [screen])
  if (screen === 'unknown') return <Unknown />
  if (Component === undefined) return failed === screen ? <Unknown outdated /> : <Loading what="the page" />
  return (
    <Safe key={keyOf(place)}>
      <Component place={place} />
    </Safe>
  )
}

const keyOf = (place: Place): string => (place.screen === 'request' ? `${place.project}/${place.id}` : place.screen)
