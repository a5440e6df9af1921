import type { JsonValue } from '../change-request'
import type { FeatureState, SegmentState, StrategyState } from '../flag-state'
import type { TargetPart } from './target-parts'

/** Each returns the flag or segment as the change leaves it. What the gateway does not say stays unknown. */

interface Properties {
  readonly [property: string]: unknown
}

export function same<Subject>(_payload: unknown, subject: Subject): Subject {
  return subject
}

export function updateSegment({ id, ...payload }: Properties, present: SegmentState | undefined) {
  return present && ({ ...present, ...payload } as SegmentState)
}

export function deleteSegment(): SegmentState | undefined {
  return undefined
}

/** Activates the strategies only where all that were there before are disabled (contract 4.2). */
export function updateEnabled(
  { enabled, shouldActivateDisabledStrategies }: Properties,
  feature: FeatureState,
): FeatureState {
  const switched = { ...feature, enabled: enabled === true }
  if (shouldActivateDisabledStrategies !== true || !switched.enabled) return switched
  const activated = new Set(activatedBy(feature))
  return withStrategies(switched, (all) =>
    all.map((one) => (activated.has(one.id) ? { ...one, disabled: false } : one)),
  )
}

/** The strategies that switching the flag on would activate. */
export function activatedBy({ enabled, strategies = [] }: FeatureState): readonly string[] {
  const earlier = strategies.filter(({ id }) => !isProvisional(id))
  return !enabled && earlier.every(({ disabled }) => disabled) ? earlier.map(({ id }) => id) : []
}

/** The id is provisional: the store gives another one. */
export function addStrategy(payload: Properties, feature: FeatureState, changeId: number | null): FeatureState {
  const added = { ...strategyAdded(payload), id: `${provisional}${changeId}` } as unknown as StrategyState
  return withStrategies(feature, (all) => [...all, added])
}

const provisional = 'added by change '

function isProvisional(id: string): boolean {
  return id.startsWith(provisional)
}

/** What is added, as far as the proposal says. */
export function strategyAdded({ id, disabled, ...payload }: Properties): NonNullable<TargetPart> {
  return { ...(payload as { [property: string]: JsonValue }), disabled: disabled === true }
}

export function planAdded({ templateId }: Properties): TargetPart {
  return { templateId: templateId as string }
}

export function updateStrategy(payload: Properties, feature: FeatureState): FeatureState {
  return withStrategies(feature, (all) => updated(all, payload))
}

export function updateMilestoneStrategy(payload: Properties, feature: FeatureState): FeatureState {
  const { milestoneStrategies: all } = feature
  return all ? { ...feature, milestoneStrategies: updated(all, payload) } : feature
}

/** Null is a value for the title alone; elsewhere it counts as not sent. */
function updated(strategies: readonly StrategyState[], { disabled, ...payload }: Properties): StrategyState[] {
  const set = { ...payload, ...(typeof disabled === 'boolean' ? { disabled } : {}) }
  return strategies.map((one) => (one.id === payload.id ? { ...one, ...set } : one))
}

export function deleteStrategy({ id }: Properties, feature: FeatureState): FeatureState {
  return withStrategies(feature, (all) => all.filter((one) => one.id !== id))
}

export function archiveFeature(_payload: unknown, feature: FeatureState): FeatureState {
  return { ...feature, archived: true, ...(feature.dependencies && { dependencies: [] }) }
}

export function patchVariant({ variants }: Properties, feature: FeatureState): FeatureState {
  return feature.variants ? { ...feature, variants: variants as JsonValue[] } : feature
}

export function reorderStrategy(payload: readonly OrderedStrategy[], feature: FeatureState): FeatureState {
  const given = new Map(payload.map(({ id, sortOrder }) => [id, sortOrder]))
  const place = ({ id, sortOrder }: StrategyState, index: number) =>
    given.get(id) ?? (typeof sortOrder === 'number' ? sortOrder : index)
  return withStrategies(feature, (all) =>
    all
      .map((one, index): StrategyState => ({ ...one, sortOrder: place(one, index) }))
      .sort((one, other) => (one.sortOrder as number) - (other.sortOrder as number)),
  )
}

interface OrderedStrategy {
  readonly id: string
  readonly sortOrder: number
}

export function addDependency(payload: Properties, feature: FeatureState): FeatureState {
  const { feature: parent, enabled = true, variants = [] } = payload
  const added = { feature: parent, enabled, variants: enabled ? variants : [] } as JsonValue
  const others = feature.dependencies?.filter((one) => parentOf(one) !== parent)
  return others ? { ...feature, dependencies: [...others, added] } : feature
}

/** All parents, or the one that the payload names. */
export function deleteDependency({ feature: parent }: Properties, feature: FeatureState): FeatureState {
  const left = feature.dependencies?.filter((one) => parent !== undefined && parentOf(one) !== parent)
  return left ? { ...feature, dependencies: left } : feature
}

/** The name of the parent in a dependency. */
export function parentOf(dependency: JsonValue): unknown {
  return (dependency as Properties | null)?.feature
}

export function deleteReleasePlan({ planId }: Properties, feature: FeatureState): FeatureState {
  const left = feature.releasePlans?.filter((id) => id !== planId)
  return left ? { ...feature, releasePlans: left } : feature
}

function withStrategies(
  feature: FeatureState,
  alter: (strategies: readonly StrategyState[]) => readonly StrategyState[],
): FeatureState {
  return feature.strategies ? { ...feature, strategies: alter(feature.strategies) } : feature
}
