import type { Change, ChangeRequest, JsonValue } from '../change-request'
import { groupByFeature } from '../content/grouping'
import type { DefaultChange, FeatureState, FlagState, StrategyState } from './flag-state'

/** The changes that come along although nobody submitted them (contract 5.5), by flag. */
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

interface Outcome {
  enabled: boolean
  /** Of each strategy, whether it is active. */
  readonly active: Map<string | number, boolean>
  activates: boolean
}

function defaultChange(
  feature: string,
  changes: readonly Change[],
  present: WithStrategies,
  { defaultStrategy }: FlagState,
): DefaultChange | undefined {
  if (changes.some(({ action }) => action === 'archiveFeature')) return undefined
  const { strategies } = present
  const after = outcome(changes, present.enabled, strategies)
  if (!after.enabled || [...after.active.values()].includes(true)) return undefined
  const enables = changes.some(({ action }) => action === 'updateEnabled')
  if (enables && !present.enabled) {
    if (after.activates) return undefined
    return { action: 'addStrategy', feature, payload: defaultStrategy ?? everybody(feature) }
  }
  const wasActive = strategies.some(({ disabled }) => !disabled)
  return present.enabled && wasActive ? { action: 'updateEnabled', feature, payload: { enabled: false } } : undefined
}

/** The flag as the changes leave it; the highest change id wins. */
function outcome(changes: readonly Change[], enabled: boolean, strategies: readonly StrategyState[]): Outcome {
  const after: Outcome = {
    enabled,
    active: new Map(strategies.map(({ id, disabled }) => [id, !disabled])),
    activates: false,
  }
  for (const { id, action, payload } of changes) {
    const named = payload as { readonly [property: string]: JsonValue | undefined }
    const strategy = String(named.id)
    if (action === 'updateEnabled') {
      after.enabled = named.enabled === true
      after.activates = named.shouldActivateDisabledStrategies === true
    } else if (action === 'addStrategy') after.active.set(id, named.disabled !== true)
    else if (action === 'deleteStrategy') after.active.delete(strategy)
    else if (action === 'updateStrategy' && after.active.has(strategy) && typeof named.disabled === 'boolean') {
      after.active.set(strategy, !named.disabled)
    }
  }
  return after
}

/** What a flag gets where project and environment have no default strategy of their own. */
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
