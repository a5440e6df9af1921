import { Icon, type IconName } from './icon'
import type { ShownState } from './shown-state'

const marks: Record<ShownState, readonly [tone: string, icon: IconName]> = {
  Draft: ['draft', 'draft'],
  'In review': ['review', 'review'],
  Approved: ['approved', 'approved'],
  Scheduled: ['scheduled', 'scheduled'],
  'Schedule suspended': ['suspended', 'paused'],
  'Schedule failed': ['failed', 'warn'],
  Applied: ['applied', 'applied'],
  'Needs acknowledgement': ['emergency', 'bolt'],
  Rejected: ['rejected', 'rejected'],
  Cancelled: ['cancelled', 'cancelled'],
}

export const stateIcon = (state: ShownState): IconName => marks[state]?.[1] ?? 'open'

export const stateClass = (state: ShownState): string => `state s-${marks[state]?.[0] ?? 'draft'}`

/** A state with its icon and word, as a pill or in a line of text. */
export function StateMark({ state, pill = false }: { readonly state: ShownState; readonly pill?: boolean }) {
  return (
    <span class={`${stateClass(state)}${pill ? ' pill' : ''}`}>
      <Icon name={stateIcon(state)} />
      <span>{state}</span>
    </span>
  )
}
