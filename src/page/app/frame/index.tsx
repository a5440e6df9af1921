import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useLogResets } from '../core/api/live'
import { useOffline } from '../core/api/network'
import { useSession } from '../core/api/session'
import { navigate, type Place, useLocation } from '../core/places/navigation'
import { useKeys } from '../core/tools/keys'
import * as times from '../core/tools/times'
import { Button } from '../parts/controls/button'
import { DialogFallback, lazy } from '../parts/lazy'
import { Bar, Bars } from '../parts/messages/bar'
import { FollowedNeeds } from '../reviews/needs-me'
import { LeftActions } from './left-actions'
import { TopBar } from './top-bar'

interface FrameProps {
  readonly place: Place
  /** Behind the form to sign in: shown, but out of reach. */
  readonly behind: boolean
  readonly children: ComponentChildren
}

/** What stands round every screen: the skip link, the top bar, and the place of the screen. */
export function Frame({ place, behind, children }: FrameProps) {
  const [showsKeys, setShowsKeys] = useState(false)
  const showKeys = () => setShowsKeys(true)
  const { query } = useLocation()
  const { me } = useSession()
  useKeys({
    'g i': { label: 'go to Inbox', run: () => navigate('/') },
    'g l': { label: 'go to Log', run: () => navigate('/log') },
    'g s': { label: 'go to Settings', run: () => navigate('/settings') },
    '?': { label: 'keyboard shortcuts', run: showKeys },
  })
  return (
    <div inert={behind}>
      <button class="skip" type="button" onClick={() => document.getElementById('main')?.focus()}>
        Skip to content
      </button>
      {me !== undefined && !isWholeInbox(place, query) && <FollowedNeeds key={me.id} />}
      <TopBar place={place} onKeys={showKeys} />
      <NetworkBar />
      <ResetBar />
      <LeftActions />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      {showsKeys && <KeysDialog onClose={() => setShowsKeys(false)} />}
    </div>
  )
}

const KeysDialog = lazy(async () => (await import('../screens/keys')).KeysDialog, DialogFallback)

/** The inbox without filters knows how many need the caller. */
function isWholeInbox({ screen }: Place, query: URLSearchParams): boolean {
  return screen === 'inbox' && [...query.keys()].every((name) => name === 'needs')
}

/** Says on every screen that there is no network, and until when what is shown was true. */
function NetworkBar() {
  const since = useOffline()
  return (
    <Bars>
      {since !== undefined && (
        <Bar tone="plain" icon="offline" title="No network.">
          You see what was true at {times.time(since)}. Steps are off until the connection is back; what you write is
          kept.
        </Bar>
      )}
    </Bars>
  )
}

/** States that the log lost events, until the viewer closes it: what they did may be among them. */
function ResetBar() {
  const resets = useLogResets()
  const [closed, setClosed] = useState(0)
  const close = (
    <Button kind="quiet" onClick={() => setClosed(resets)}>
      Close
    </Button>
  )
  return (
    <Bars>
      {resets > closed && (
        <Bar tone="care" icon="warn" title="The server lost its latest events." actions={close}>
          It moved to a copy of its database, or restored a backup. Check your latest votes and changes; what you write
          is kept.
        </Bar>
      )}
    </Bars>
  )
}
