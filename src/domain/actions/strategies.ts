import type { JsonValue } from '../change-request'
import type { FeatureState, StrategyState } from '../flag-state'
import type { ActionTable, KnownPart, TargetPart } from './action'
import {
  change,
  inEnvironment,
  listOf,
  mergedProperties,
  missingMention,
  missingStrategy,
  ofAddition,
  type Properties,
  propertiesOf,
  provisionalId,
  restored,
  strategyPart,
  type WithId,
  withStrategy,
  withStrategyPart,
} from './shared'

const ofStrategy = {
  target: 'strategy',
  ...inEnvironment,
  hasSnapshot: true,
  targetPart: (payload: WithId, { strategies }: FeatureState) => strategyPart(strategies, payload),
  withPart: (_payload: unknown, part: KnownPart, { strategies, ...feature }: FeatureState) => ({
    ...feature,
    strategies: withStrategyPart(strategies, part),
  }),
} as const

export const strategyActions = {
  addStrategy: {
    target: 'strategies',
    ...ofAddition,
    phrase: (_payload, { subject, strategy }) => `Adding ${strategy} to ${subject}`,
    conflict: (payload, _feature, context) => missingMention(payload, context),
    after(payload, feature, changeId) {
      const added = { ...addedStrategy(payload), id: provisionalId(changeId) } as unknown as StrategyState
      return withStrategies(feature, (all) => [...all, added])
    },
    added: addedStrategy,
    inverse: (_payload, { created }) =>
      created === undefined ? undefined : [change('deleteStrategy', { id: created })],
    effect({ active }, { disabled }, changeId) {
      active.set(changeId, disabled !== true)
    },
  },
  updateStrategy: {
    ...ofStrategy,
    phrase: (_payload, { subject, strategy }) => `Editing ${strategy} of ${subject}`,
    conflict: (payload, { strategies }, context) =>
      missingStrategy([payload], strategies) ?? missingMention(payload, context),
    after: (payload, feature) => withStrategies(feature, (all) => withStrategy(all, payload)),
    merged: mergedProperties,
    inverse: (payload, { snapshot }) => restored('updateStrategy', payload, snapshot),
    effect({ active }, { id, disabled }) {
      if (active.has(id) && typeof disabled === 'boolean') active.set(id, !disabled)
    },
  },
  deleteStrategy: {
    ...ofStrategy,
    phrase: (_payload, { subject, strategy }) => `Deleting ${strategy} of ${subject}`,
    conflict: (payload, { strategies }) => missingStrategy([payload], strategies),
    after: ({ id }, feature) => withStrategies(feature, (all) => all.filter((one) => one.id !== id)),
    inverse(_payload, { snapshot }) {
      const before = propertiesOf(snapshot)
      if (before === undefined) return undefined
      const { id, ...strategy } = before
      return [change('addStrategy', { constraints: [], parameters: {}, ...strategy })]
    },
    effect({ active }, { id }) {
      active.delete(id)
    },
  },
  reorderStrategy: {
    target: 'strategies',
    ...inEnvironment,
    phrase: (_payload, { subject }) => `Reordering the strategies of ${subject}`,
    conflict: (payload, { strategies }) => missingStrategy(payload, strategies),
    hasSnapshot: true,
    targetPart: (_payload, { strategies }) =>
      strategies && { order: strategies.map((one, index) => ({ id: one.id, sortOrder: sortOrderOf(one, index) })) },
    withPart: withOrder,
    after: reordered,
    merged: (payload, { order }) => namedIn(payload, order),
    inverse(payload, { snapshot }) {
      const before = propertiesOf(snapshot)
      return before && [{ action: 'reorderStrategy', payload: namedIn(payload, before.order) }]
    },
  },
} satisfies Partial<ActionTable>

function addedStrategy({ id, disabled, ...payload }: Properties): NonNullable<TargetPart> {
  return { ...(payload as { [property: string]: JsonValue }), disabled: disabled === true }
}

/**
 * The strategies of the order. Of those that no previous change names, only the ids and sort orders are known. If the other
 * ones have no sort order, theirs are positions, which change when a strategy is deleted.
 */
function withOrder(_payload: unknown, part: KnownPart, { strategies = [], ...feature }: FeatureState): FeatureState {
  const arePositions = strategies.some(({ sortOrder }) => typeof sortOrder !== 'number')
  const order = listOf(part?.order) as unknown as StrategyState[]
  const known = (one: StrategyState) => strategies.find(({ id }) => id === one.id)
  const unknown = ({ id, sortOrder }: StrategyState) => (arePositions ? { id } : { id, sortOrder }) as StrategyState
  return { ...feature, strategies: order.map((one) => known(one) ?? unknown(one)) }
}

function sortOrderOf({ sortOrder }: StrategyState, index: number): number {
  return typeof sortOrder === 'number' ? sortOrder : index
}

function reordered(payload: readonly (WithId & { readonly sortOrder: number })[], feature: FeatureState): FeatureState {
  const given = new Map(payload.map(({ id, sortOrder }) => [id, sortOrder]))
  return withStrategies(feature, (all) =>
    all
      .map((one, index): StrategyState => ({ ...one, sortOrder: given.get(one.id) ?? sortOrderOf(one, index) }))
      .sort((one, other) => (one.sortOrder as number) - (other.sortOrder as number)),
  )
}

function namedIn(payload: readonly WithId[], order: unknown): JsonValue[] {
  const named = new Set(payload.map(({ id }) => id))
  return listOf(order).filter((one) => named.has((one as unknown as WithId).id))
}

function withStrategies(
  feature: FeatureState,
  alter: (strategies: readonly StrategyState[]) => readonly StrategyState[],
): FeatureState {
  return feature.strategies ? { ...feature, strategies: alter(feature.strategies) } : feature
}
