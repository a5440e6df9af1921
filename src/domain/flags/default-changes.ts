import type { FlagOutcome } from '../actions/action'
import { definitionOf } from '../actions/table'
import type { Change, ChangeRequest, JsonValue } from '../change-request'
import { groupByFeature } from '../content/grouping'
import type { DefaultChange, FeatureState, FlagState, StrategyState } from '../flag-state'

/** The implied changes: applied although nobody submitted them (contract 5.5), by flag. */
export function findDefaultChanges({ changes }: ChangeRequest, state: FlagState): ReadonlyMap<string, DefaultChange> {
  const found = new Map<string, DefaultChange>()
  for (const [feature, own] of groupByFeature(changes)) {
    const present = state.features.get(feature)
    const strategies = present?.archived === false ? present.strategies : undefined
    const change = present && strategies && defaultChange(feature, own, { ...present, strategies }, state)
    if (change !== undefined) found.set(feature, change)
  }
  return found
}

interface WithStrategies extends FeatureState {
  readonly strategies: readonly StrategyState[]
}

function defaultChange(
  feature: string,
  changes: readonly Change[],
  present: WithStrategies,
  { defaultStrategy }: FlagState,
): DefaultChange | undefined {
  const after = outcomeOf(changes, present)
  if (after.archived || !after.enabled || [...after.active.values()].includes(true)) return undefined
  if (!present.enabled) {
    if (after.activates) return undefined
    return { action: 'addStrategy', feature, payload: defaultStrategy ?? everybody(feature) }
  }
  const wasActive = present.strategies.some(({ disabled }) => !disabled)
  return wasActive ? { action: 'updateEnabled', feature, payload: { enabled: false } } : undefined
}

/** The flag as the changes leave it; the highest change id wins. */
function outcomeOf(changes: readonly Change[], { enabled, strategies }: WithStrategies): FlagOutcome {
  const flag: FlagOutcome = {
    enabled,
    archived: false,
    activates: false,
    active: new Map(strategies.map(({ id, disabled }) => [id, !disabled])),
  }
  for (const change of changes) definitionOf(change).effect(flag, change.payload, change.id)
  return flag
}

/** The fallback strategy, if the project and environment have no default strategy. */
function everybody(feature: string): JsonValue {
  return {
    name: 'flexibleRollout',
    title: '',
    disabled: false,
    constraints: [],
    segments: [],
    parameters: { rollout: '100', stickiness: 'default', groupId: feature },
  }
}
