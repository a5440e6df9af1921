import type { AppliedDefault, Change, ChangeRequest } from '../change-request'
import type { FlagState } from '../flag-state'
import { findActivations } from '../flags/activations'
import { findDefaultChanges } from '../flags/default-changes'
import { closingOf } from './snapshots'

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
  const activations = findActivations(current.changes, found, before)
  const changes = withIds.map((change): Change => {
    const activated = activations.get(change.id)?.map(({ id }) => id)
    return activated === undefined ? change : { ...change, activated }
  })
  const defaultChanges = [...found.values()].map(
    (change): AppliedDefault => ({ ...change, ...closingOf(change, before), ...idOf(null, change.feature) }),
  )
  return { ...current, changes, ...(defaultChanges.length === 0 ? {} : { defaultChanges }) }
}
