import { activatedBy } from '../actions/switch'
import type { AppliedDefault, Change, ChangeRequest, NewChange } from '../change-request'
import type { DefaultChange, FlagState } from '../flag-state'
import { inApplyOrder } from '../flags/apply-order'
import { findDefaultChanges } from '../flags/default-changes'
import { closingOf } from './snapshots'
import { stateAfter } from './state-after'

/** The id of what a change added, as the gateway reports it. */
export interface Created {
  /** Null for an implied change. */
  readonly changeId: number | null
  readonly feature: string
  readonly id: string
}

/** Stores the other data that a revert needs (contract 17). */
export function withTraces(
  current: ChangeRequest,
  before: FlagState | undefined,
  created: readonly Created[],
): ChangeRequest {
  const idOf = (changeId: number | null, feature: string | null): Pick<Change, 'created'> => {
    const found = created.find((one) => one.changeId === changeId && one.feature === feature)
    return found === undefined ? {} : { created: found.id }
  }
  const withIds = current.changes.map((change): Change => ({ ...change, ...idOf(change.id, change.feature) }))
  if (before === undefined) return { ...current, changes: withIds }
  const found = findDefaultChanges(current, before)
  const activated = activations(current, found, before)
  const changes = withIds.map((change): Change => {
    const ids = activated.get(change.id)
    return ids === undefined ? change : { ...change, activated: ids }
  })
  const defaultChanges = [...found.values()].map(
    (change): AppliedDefault => ({ ...change, ...closingOf(change, before), ...idOf(null, change.feature) }),
  )
  return { ...current, changes, ...(defaultChanges.length === 0 ? {} : { defaultChanges }) }
}

/** The strategies that the changes activate by switching their flags on, by the id of the change. */
function activations(
  { changes }: ChangeRequest,
  defaultChanges: ReadonlyMap<string, DefaultChange>,
  before: FlagState,
): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, readonly string[]>()
  if (!changes.some(activates)) return found
  let current = before
  for (const change of inApplyOrder(changes, defaultChanges)) {
    const flag = change.feature === null ? undefined : current.features.get(change.feature)
    const ids = flag !== undefined && activates(change) ? activatedBy(flag) : []
    if (change.id !== null && ids.length > 0) found.set(change.id, ids)
    current = stateAfter(change, current)
  }
  return found
}

function activates({ action, payload }: NewChange): boolean {
  const { enabled, shouldActivateDisabledStrategies } = payload as { readonly [property: string]: unknown }
  return action === 'updateEnabled' && enabled === true && shouldActivateDisabledStrategies === true
}
