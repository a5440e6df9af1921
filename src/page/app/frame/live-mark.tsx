import { useLiveStatus } from '../core/api/live'
import { Icon, type IconName } from '../parts/marks/icon'

const words: Readonly<Record<string, readonly [word: string, icon: IconName, title: string]>> = {
  polling: ['Every 15 s', 'refresh', 'Asked again every 15 seconds; following the log takes READ_EVENTS'],
  paused: ['Paused', 'paused', 'Live updates are paused; trying again'],
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
