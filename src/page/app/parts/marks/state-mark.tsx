import { Icon, type IconName } from './icon'
import { type ShownState, type StateTraits, stateTraits } from './state'

const marks: Readonly<Record<ShownState, Pick<StateTraits, 'icon' | 'tone'>>> = {
  ...stateTraits,
  'Schedule held': { tone: 'scheduled', icon: 'paused' },
  'Schedule suspended': { tone: 'suspended', icon: 'paused' },
  'Schedule failed': { tone: 'failed', icon: 'warn' },
  'Needs acknowledgement': { tone: 'emergency', icon: 'bolt' },
}

export const stateIcon = (state: ShownState): IconName => marks[state]?.icon ?? 'open'

export const stateClass = (state: ShownState): string =>
  `state s-${marks[state]?.tone ?? marks[state]?.icon ?? 'draft'}`

/** A state with its icon and word, as a pill or in a line of text. */
export function StateMark({ state, pill = false }: { readonly state: ShownState; readonly pill?: boolean }) {
  return (
    <span class={`${stateClass(state)}${pill ? ' pill' : ''}`}>
      <Icon name={stateIcon(state)} />
      <span>{state}</span>
    </span>
  )
}
