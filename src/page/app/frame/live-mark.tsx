import { useLiveStatus } from '../core/api/live'
import { Icon, type IconName } from '../parts/marks/icon'

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
export function LiveMark() {
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
