import type { JsonValue } from '../change-request'
import type { FeatureState, StrategyState } from '../flag-state'
import type { ActionTable, TargetPart } from './action'
import { change, copyOf, inEnvironment, isProvisional, mergedProperties, propertiesOf, withProperties } from './shared'

export const switchActions = {
  updateEnabled: {
    target: 'switch',
    scope: 'environment',
    stage: 'switch',
    phrase: ({ enabled }, { subject }) => `Switching ${subject} ${enabled ? 'on' : 'off'}`,
    hasSnapshot: true,
    targetPart: switchPart,
    withPart: withProperties,
    after: switched,
    unseen: ({ enabled, shouldActivateDisabledStrategies, ...unknown }) => unknown,
    activates: activatedBy,
    merged: (payload, { enabled = false }) => ({ ...payload, enabled }),
    inverse({ enabled }, { snapshot, activated = [] }) {
      const before = propertiesOf(snapshot)
      if (before === undefined || before.enabled === enabled) return before && []
      return [
        change('updateEnabled', { enabled: before.enabled }),
        ...activated.map((id) => change('updateStrategy', { id, disabled: true })),
      ]
    },
    effect(flag, { enabled, shouldActivateDisabledStrategies }) {
      flag.enabled = enabled
      flag.activates = shouldActivateDisabledStrategies === true
    },
  },
  archiveFeature: {
    target: 'flag',
    scope: 'project',
    stage: 'archive',
    phrase: (_payload, { subject }) => `Archiving ${subject}`,
    targetPart: (_payload, { archived }) => ({ archived }),
    withPart: withProperties,
    after: (_payload, feature) => ({ ...feature, archived: true, ...(feature.dependencies && { dependencies: [] }) }),
    effect(flag) {
      flag.archived = true
    },
  },
} satisfies Partial<ActionTable>

interface Switch {
  readonly enabled: boolean
  readonly shouldActivateDisabledStrategies?: boolean
}

/** With the strategies if it may activate them: which ones depends on all of them, and on the changes before it. */
function switchPart(payload: Switch, { enabled, strategies }: FeatureState): NonNullable<TargetPart> {
  if (!mayActivate(payload) || strategies === undefined) return { enabled }
  return { enabled, strategies: copyOf(earlier(strategies)) }
}

function switched(payload: Switch, feature: FeatureState): FeatureState {
  const { enabled } = payload
  const { strategies } = feature
  const activated = new Set(activatedBy(payload, feature))
  if (activated.size === 0 || strategies === undefined) return { ...feature, enabled }
  return {
    ...feature,
    enabled,
    strategies: strategies.map((one) => (activated.has(one) ? { ...one, disabled: false } : one)),
  }
}

/** The strategies that switching the flag on activates, only if all existing ones are disabled (contract 4.2). */
function activatedBy(payload: Switch, { enabled, strategies = [] }: FeatureState): readonly StrategyState[] {
  const existing = earlier(strategies)
  return mayActivate(payload) && !enabled && existing.every(({ disabled }) => disabled) ? existing : []
}

function mayActivate({ enabled, shouldActivateDisabledStrategies }: Switch): boolean {
  return enabled && shouldActivateDisabledStrategies === true
}

/** Without those that the same change request adds. */
function earlier(strategies: readonly StrategyState[]): StrategyState[] {
  return strategies.filter(({ id }) => !isProvisional(id))
}

export const variantActions = {
  patchVariant: {
    target: 'variants',
    ...inEnvironment,
    phrase: (_payload, { subject }) => `Changing the variants of ${subject}`,
    hasSnapshot: true,
    targetPart: (_payload, { variants }) => variants && { variants: copyOf([...variants]) },
    withPart: withProperties,
    after: ({ variants }, feature) =>
      feature.variants ? { ...feature, variants: variants as unknown as JsonValue[] } : feature,
    unseen: ({ variants, ...unknown }) => unknown,
    merged: mergedProperties,
    inverse(_payload, { snapshot }) {
      const before = propertiesOf(snapshot)
      return before && [change('patchVariant', { variants: before.variants })]
    },
  },
} satisfies Partial<ActionTable>
