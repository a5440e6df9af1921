import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { Outcome } from '../core/api/action'
import { useLeftActions } from '../core/api/left-actions'
import { useLiveStatus, useLogResets } from '../core/api/live'
import { useOffline } from '../core/api/network'
import { signOut, useSession } from '../core/api/session'
import { Link } from '../core/places/link'
import { navigate, type Place, useLocation } from '../core/places/navigation'
import { config } from '../core/tools/config'
import { forgetDrafts } from '../core/tools/drafts'
import { useKeys } from '../core/tools/keys'
import * as times from '../core/tools/times'
import { Button } from '../parts/controls/button'
import { Menu } from '../parts/controls/menu'
import { DialogFallback, lazy } from '../parts/lazy'
import { Icon, type IconName } from '../parts/marks/icon'
import { MachineMark } from '../parts/marks/machine-mark'
import { Person, PersonName } from '../parts/marks/person'
import { Bar, Bars, ScreenBars } from '../parts/messages/bar'
import { FollowedNeeds, useNeedsMe } from '../reviews/needs-me'
import { none } from '../words/numbers'
import { listed } from '../words/spans'

interface FrameProps {
  readonly place: Place
  /** Behind the form to sign in: shown, but out of reach. */
  readonly behind: boolean
  readonly children: ComponentChildren
}

/** The parts of every screen: the skip link, the top bar, and the place of the screen. */
export function Frame({ place, behind, children }: FrameProps) {
  const [showsKeys, setShowsKeys] = useState(false)
  const showKeys = () => setShowsKeys(true)
  const { query } = useLocation()
  const { me } = useSession()
  useKeys({
    'g i': { label: 'go to Inbox', run: () => navigate('/') },
    'g c': { label: 'go to Schedule', run: () => navigate('/schedule') },
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
      <ScreenBars />
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
  const isWhole = ([name, value]: [string, string]) => name === 'order' || (name === 'needs' && value !== 'applied')
  return screen === 'inbox' && [...query].every(isWhole)
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

const titles: Partial<Record<Outcome['kind'], string>> = {
  done: 'Done.',
  waiting: 'Not sent yet. Retrying.',
  unknown: 'The result is unknown.',
  unsure: 'The result is unknown.',
}

/** Says on every screen what became of steps that were still being sent when their screen was left. */
function LeftActions() {
  return (
    <Bars>
      {useLeftActions().map(({ path, title, outcome, stop }) => {
        const kind = outcome?.kind
        const isUnderWay = kind === undefined || kind === 'waiting'
        return (
          <Bar
            tone={isUnderWay ? 'plain' : kind === 'done' ? 'ok' : 'care'}
            icon={isUnderWay ? 'refresh' : kind === 'done' ? 'check' : 'warn'}
            title={titleOf(outcome)}
            actions={
              <>
                <Link class="btn" to={path}>
                  Show
                </Link>
                <Button kind="quiet" onClick={stop}>
                  {isUnderWay ? 'Stop' : 'Close'}
                </Button>
              </>
            }
          >
            Your last step on “<bdi>{title}</bdi>”. {reason(outcome)}
          </Bar>
        )
      })}
    </Bars>
  )
}

function titleOf(outcome: Outcome | undefined): string | undefined {
  if (outcome === undefined) return 'Still sending.'
  return titles[outcome.kind] ?? ('isRepeat' in outcome ? titles.unknown : 'Not done.')
}

function reason(outcome: Outcome | undefined): string {
  if (outcome?.kind === 'changed') return 'Another user was first, so nothing was changed.'
  if (outcome?.kind === 'signedOut') return 'You are signed out.'
  if (outcome?.kind === 'unknown') return ''
  const missing = outcome !== undefined && 'missing' in outcome ? outcome.missing : []
  if (missing.length > 0) return missing.map(({ message }) => message).join(' ')
  return outcome !== undefined && 'message' in outcome ? outcome.message : ''
}

const words: Readonly<Record<string, readonly [word: string, icon: IconName, title: string]>> = {
  polling: [
    'Every 15 s',
    'refresh',
    'Refreshed every 15 seconds; live updates start with the first event that you can read (permission READ_EVENTS)',
  ],
  reconnecting: ['Reconnecting', 'refresh', 'Live updates are lost for the moment; reconnecting'],
  offline: ['Offline', 'offline', 'No network'],
}

/** Whether what is shown follows what happens: a word, and an icon where it does not. */
function LiveMark() {
  const status = useLiveStatus()
  const [word, icon, title] = words[status] ?? []
  if (status === 'starting') return null
  if (icon === undefined) return <span class="live">Live</span>
  return (
    <span class="live off" title={title}>
      <Icon name={icon} />
      {word}
    </span>
  )
}

/** Who is signed in, and the way out: of the page with a key, else of the host. */
function Me() {
  const { me } = useSession()
  const menu = useRef<HTMLDetailsElement>(null)
  if (me === undefined) return null
  return (
    <Menu
      menu={menu}
      class="quiet me"
      button={
        <>
          <span class="vh">Account: </span>
          <Person person={me} />
          <PersonName person={me} />
          <Icon name="chevronDown" />
        </>
      }
    >
      <p class="soft small">
        <PersonName person={me} strong />
        <MachineMark author={me} />
        {me.groups.length > 0 && (
          <>
            <br />
            Groups: <bdi>{listed(me.groups)}</bdi>
          </>
        )}
      </p>
      {config.signIn === 'key' ? (
        <button type="button" onClick={signOut}>
          Sign out
        </button>
      ) : (
        config.signOutUrl && (
          <a href={config.signOutUrl} onClick={forgetDrafts}>
            Sign out
          </a>
        )
      )}
    </Menu>
  )
}

const screens: readonly { screen: Place['screen']; to: string; label: string; icon: IconName }[] = [
  { screen: 'inbox', to: '/', label: 'Inbox', icon: 'inbox' },
  { screen: 'schedule', to: '/schedule', label: 'Schedule', icon: 'scheduled' },
  { screen: 'log', to: '/log', label: 'Log', icon: 'list' },
  { screen: 'settings', to: '/settings', label: 'Settings', icon: 'sliders' },
]

/** The way to the screens, whether what is shown is live, and who is signed in. */
function TopBar({ place, onKeys }: { readonly place: Place; readonly onKeys: () => void }) {
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
        <div class="top-end end">
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
