import { Link } from '../core/places/link'
import type { Place } from '../core/places/navigation'
import { config } from '../core/tools/config'
import { Icon, type IconName } from '../parts/marks/icon'
import { useNeedsMe } from '../reviews/needs-me'
import { none } from '../words/numbers'
import { LiveMark } from './live-mark'
import { Me } from './me'

interface TopBarProps {
  readonly place: Place
  readonly onKeys: () => void
}

const screens: readonly { screen: Place['screen']; to: string; label: string; icon: IconName }[] = [
  { screen: 'inbox', to: '/', label: 'Inbox', icon: 'inbox' },
  { screen: 'log', to: '/log', label: 'Log', icon: 'list' },
  { screen: 'settings', to: '/settings', label: 'Settings', icon: 'sliders' },
]

/** The way to the screens, whether what is shown is live, and who is signed in. */
export function TopBar({ place, onKeys }: TopBarProps) {
  const needsMe = useNeedsMe()
  return (
    <header class="top">
      <div class="top-in">
        <Link class="brand" to="/">
          <Icon name="approved" />
          <bdi>{config.title}</bdi>
        </Link>
        <nav class="nav" aria-label="Main">
          {screens.map(({ screen, to, label, icon }) => (
            <Link key={screen} to={to} aria-current={screen === place.screen ? 'page' : undefined}>
              <Icon name={icon} />
              {label} {screen === 'inbox' && needsMe !== undefined && <NeedsMe count={needsMe} />}
            </Link>
          ))}
        </nav>
        <div class="top-end">
          <LiveMark />
          <button class="btn quiet hide-s" type="button" aria-label="Keyboard shortcuts" onClick={onKeys}>
            <kbd>?</kbd>
          </button>
          <Me />
        </div>
      </div>
    </header>
  )
}

function NeedsMe({ count }: { readonly count: string }) {
  return (
    <span class={count === none ? 'count' : 'count hot'}>
      {count}
      <span class="vh"> need you</span>
    </span>
  )
}
