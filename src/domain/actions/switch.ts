import type { FeatureState } from '../flag-state'
import type { ActionTable } from './action'
import { change, isProvisional, none, propertiesOf, withProperties } from './shared'

/** Actions on the flag as a whole: switch it in the environment, archive it everywhere. */
export const switchActions = {
  updateEnabled: {
    target: 'switch',
    scope: 'environment',
    stage: 'switch',
    phrase: ({ enabled }, { subject }) => `Switching ${subject} ${enabled ? 'on' : 'off'}`,
    conflict: none,
    hasSnapshot: true,
    targetPart: (_payload, { enabled }) => ({ enabled }),
    withPart: withProperties,
    after: switched,
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
    conflict: none,
    hasSnapshot: false,
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

/** Activates the strategies only if all existing ones are disabled (contract 4.2). */
function switched({ enabled, shouldActivateDisabledStrategies }: Switch, feature: FeatureState): FeatureState {
  const { strategies } = feature
  if (shouldActivateDisabledStrategies !== true || !enabled || strategies === undefined) return { ...feature, enabled }
  const activated = new Set(activatedBy(feature))
  return {
    ...feature,
    enabled,
    strategies: strategies.map((one) => (activated.has(one.id) ? { ...one, disabled: false } : one)),
  }
}

/** The strategies that switching the flag on would activate. */
export function activatedBy({ enabled, strategies = [] }: FeatureState): readonly string[] {
  const earlier = strategies.filter(({ id }) => !isProvisional(id))
  return !enabled && earlier.every(({ disabled }) => disabled) ? earlier.map(({ id }) => id) : []
}
