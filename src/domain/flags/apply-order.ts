import { definitionOf } from '../actions/table'
import type { NewChange } from '../change-request'
import type { DefaultChange } from '../flag-state'

/** A change as the flag gateway gets it; an implied change has no id. */
export interface PlannedChange extends NewChange {
  readonly id: number | null
}

/**
 * The changes in a safe order (contract 6.4): switches off, all others by id and the default strategies, switches on,
 * archiving. A flag that is switched on before it has its strategies would be on for everyone. For each flag only the last
 * `updateEnabled` is applied.
 */
export function inApplyOrder(
  changes: readonly (NewChange & { readonly id: number })[],
  defaultChanges: ReadonlyMap<string, DefaultChange>,
): PlannedChange[] {
  const all: PlannedChange[] = [
    ...changes.map(({ id, action, feature, payload }) => ({ id, action, feature, payload })),
    ...[...defaultChanges.values()].map(({ action, feature, payload }) => ({ id: null, action, feature, payload })),
  ]
  const lastSwitches = new Map(all.filter(isSwitch).map((change) => [change.feature, change]))
  const planned = all.filter((change) => !isSwitch(change) || lastSwitches.get(change.feature) === change)
  // The sort is stable: changes of the same stage stay in order.
  return planned.sort((one, other) => place(one) - place(other))
}

function isSwitch(change: PlannedChange): boolean {
  return definitionOf(change).stage === 'switch'
}

function place(change: PlannedChange): number {
  if (isSwitch(change)) return (change.payload as { readonly enabled: boolean }).enabled ? 2 : 0
  return definitionOf(change).stage === 'archive' ? 3 : 1
}
