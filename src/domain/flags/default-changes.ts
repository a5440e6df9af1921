import type { FlagOutcome } from '../actions/action'
import { definitionOf } from '../actions/table'
import type { Change, ChangeRequest, JsonValue } from '../change-request'
import { groupByFeature } from '../content/grouping'
import type { DefaultChange, FeatureState, FlagState, StrategyState } from '../flag-state'
import { inApplyOrder } from './apply-order'

/** The implied changes: applied although nobody submitted them (contract 5.5), by flag. None if the flags are unknown. */
export function findDefaultChanges(
  { changes }: ChangeRequest,
  state: FlagState | undefined,
): ReadonlyMap<string, DefaultChange> {
  const found = new Map<string, DefaultChange>()
  if (state === undefined) return found
  for (const [feature, own] of groupByFeature(changes)) {
    const flag = state.features.get(feature)
    if (flag?.strategies === undefined || flag.archived) continue
    const change = defaultChange(feature, own, { enabled: flag.enabled, strategies: flag.strategies }, state)
    if (change !== undefined) found.set(feature, change)
  }
  return found
}

function defaultChange(
  feature: string,
  changes: readonly Change[],
  flag: Required<Pick<FeatureState, 'enabled' | 'strategies'>>,
  { defaultStrategy }: FlagState,
): DefaultChange | undefined {
  const after: FlagOutcome = {
    enabled: flag.enabled,
    archived: false,
    activates: false,
    active: new Map(flag.strategies.map(({ id, disabled }) => [id, !disabled])),
  }
  for (const change of changes) definitionOf(change).effect?.(after, change.payload, change.id)
  if (after.archived || !after.enabled || [...after.active.values()].includes(true)) return undefined
  if (!flag.enabled) {
    if (after.activates) return undefined
    return { action: 'addStrategy', feature, payload: defaultStrategy ?? forEveryone(feature) }
  }
  const wasActive = flag.strategies.some(({ disabled }) => !disabled)
  return wasActive ? { action: 'updateEnabled', feature, payload: { enabled: false } } : undefined
}

function forEveryone(feature: string): JsonValue {
  return {
    name: 'flexibleRollout',
    title: '',
    disabled: false,
    constraints: [],
    segments: [],
    parameters: { rollout: '100', stickiness: 'default', groupId: feature },
  }
}

/** The strategies that each change switches on without naming them, as they are right before it, by the id of the change. */
export type Activations = ReadonlyMap<number, readonly StrategyState[]>

/** Depends on the changes before each one: an edit may disable the last active strategy. Only of changes that activate some. */
export function findActivations(
  changes: readonly Change[],
  defaultChanges: ReadonlyMap<string, DefaultChange>,
  before: FlagState,
): Activations {
  const found = new Map<number, readonly StrategyState[]>()
  if (!changes.some((change) => definitionOf(change).activates)) return found
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
