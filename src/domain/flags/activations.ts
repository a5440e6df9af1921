import { definitionOf } from '../actions/table'
import type { Change } from '../change-request'
import { groupByFeature } from '../content/grouping'
import type { DefaultChange, FeatureState, FlagState, StrategyState } from '../flag-state'
import { inApplyOrder } from './apply-order'

/** The strategies that each change switches on without naming them, as they are right before it, by the id of the change. */
export type Activations = ReadonlyMap<number, readonly StrategyState[]>

/** Depends on the changes before each one: an edit may disable the last active strategy. Only of changes that activate some. */
export function findActivations(
  changes: readonly Change[],
  defaultChanges: ReadonlyMap<string, DefaultChange>,
  before: FlagState,
): Activations {
  const found = new Map<number, readonly StrategyState[]>()
  for (const [feature, own] of groupByFeature(changes)) {
    let flag: unknown = before.features.get(feature)
    if (flag === undefined || !own.some((change) => definitionOf(change).activates)) continue
    const implied = defaultChanges.get(feature)
    for (const { id, action, payload } of inApplyOrder(own, new Map(implied && [[feature, implied]]))) {
      const { activates, after } = definitionOf({ action })
      const strategies = activates?.(payload, flag) ?? []
      if (id !== null && strategies.length > 0) found.set(id, strategies)
      flag = after(payload, flag as FeatureState, id)
    }
  }
  return found
}
