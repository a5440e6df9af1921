import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { navigate, useKeys } from '../core'
import type { Place } from '../core/places/navigation'
import { useFollowedNeeds } from '../reviews/needs-me'
import { KeysDialog } from './keys-dialog'
import { NetworkBar } from './network-bar'
import { TopBar } from './top-bar'

interface FrameProps {
  readonly place: Place
  /** Behind the form to sign in: shown, but out of reach. */
  readonly behind: boolean
  readonly children: ComponentChildren
}

/** What stands round every screen: the skip link, the top bar, and the place of the screen. */
export function Frame({ place, behind, children }: FrameProps) {
  const [keys, setKeys] = useState(false)
  useFollowedNeeds()
  useKeys({
    'g i': { label: 'go to Inbox', run: () => navigate('/') },
    'g l': { label: 'go to Log', run: () => navigate('/log') },
    'g s': { label: 'go to Settings', run: () => navigate('/settings') },
    '?': { label: 'these keys', run: () => setKeys(true) },
  })
  return (
    <div inert={behind}>
      <button class="skip" type="button" onClick={() => document.getElementById('main')?.focus()}>
        Skip to content
      </button>
      <TopBar place={place} onKeys={() => setKeys(true)} />
      <NetworkBar />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      {keys && <KeysDialog onClose={() => setKeys(false)} />}
    </div>
  )
}
