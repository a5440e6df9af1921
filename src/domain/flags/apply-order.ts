import type { NewChange } from '../change-request'
import type { DefaultChange } from './flag-state'

/** A change as it is handed over; a default change has no id. */
export interface PlannedChange extends NewChange {
  readonly id: number | null
}

/**
 * The changes in the order in which they are safe to carry out (contract 6.4): what switches off, all others by id and
 * the default strategies, what switches on, what archives. Of each flag the last `updateEnabled` alone: a flag server
 * that is switched on before it has its strategies gives the flag to everybody.
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
  // The sort is stable: within a place the order stays.
  return planned.sort((one, other) => place(one) - place(other))
}

function isSwitch({ action }: PlannedChange): boolean {
  return action === 'updateEnabled'
}

function place({ action, payload }: PlannedChange): number {
  if (action === 'archiveFeature') return 3
  if (action !== 'updateEnabled') return 1
  return (payload as { readonly enabled?: unknown }).enabled === true ? 2 : 0
}
