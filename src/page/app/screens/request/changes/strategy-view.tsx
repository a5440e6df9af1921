import { createKeptStore, useStore } from '../../../core/tools/store'
import { Tabs } from '../../../parts/controls/tabs'

type View = 'fields' | 'sides' | 'unified'

const view = createKeptStore<View>('ecr-strategy-view', ['fields', 'sides', 'unified'])

export const useStrategyView = (): View => useStore(view)

const tabs = [
  { id: 'fields', label: 'Changed fields' },
  { id: 'sides', label: 'Side by side' },
  { id: 'unified', label: 'Unified' },
]

/** How all strategies are shown: only what changes, or all fields. */
export function StrategyViewTabs() {
  return (
    <Tabs label="Show strategies" tabs={tabs} current={useStrategyView()} onChoose={(id) => view.set(id as View)} />
  )
}
