import fc from 'fast-check'
import { depend, half } from './changes'

/** The strategies of production in the demo: of a flag that is on, of one that is off, and of one that has only a disabled one. */
export const strategies: { readonly [feature: string]: readonly string[] } = {
  'new-search': ['new-search-beta', 'new-search-few'],
  checkout: ['checkout-half'],
  'dark-mode': ['dark-mode-off'],
}
export const features = Object.keys(strategies)

const ofStrategy = (action: string, more: fc.Arbitrary<object> = fc.constant({})) =>
  fc.constantFrom(...features).chain((feature) =>
    fc.tuple(fc.constantFrom(...(strategies[feature] as string[])), more).map(([id, others]) => {
      return { action, feature, payload: { id, ...others } }
    }),
  )
const ofFeature = (action: string, payload: fc.Arbitrary<object>) =>
  fc.record({ action: fc.constant(action), feature: fc.constantFrom(...features), payload })

/** Every reversible action that the store supports. */
export const inverted = {
  updateEnabled: ofFeature(
    'updateEnabled',
    fc.record({ enabled: fc.boolean(), shouldActivateDisabledStrategies: fc.boolean() }),
  ),
  addStrategy: ofFeature('addStrategy', fc.constantFrom(half, { ...half, title: 'some', disabled: true })),
  updateStrategy: ofStrategy(
    'updateStrategy',
    fc.record(
      {
        title: fc.constantFrom('few', 'all'),
        disabled: fc.boolean(),
        parameters: fc.constantFrom({ rollout: '1' }, { rollout: '90', groupId: 'x' }),
        segments: fc.constantFrom([], [1]),
      },
      { requiredKeys: [] },
    ),
  ),
  deleteStrategy: ofStrategy('deleteStrategy'),
  reorderStrategy: fc.integer({ min: 0, max: 9 }).map((sortOrder) => ({
    action: 'reorderStrategy',
    feature: 'new-search',
    payload: [{ id: 'new-search-beta', sortOrder }],
  })),
  patchVariant: ofFeature(
    'patchVariant',
    fc.constantFrom('red', 'blue').map((name) => ({ variants: [{ name, weight: 1000 }] })),
  ),
  addDependency: fc.boolean().map((enabled) => depend('checkout', 'pay-by-card', { enabled })),
  deleteDependency: fc.constant({ action: 'deleteDependency', feature: 'checkout', payload: {} }),
  updateSegment: fc.constantFrom('a', 'b').map((name) => ({
    action: 'updateSegment',
    payload: { id: 1, name, constraints: [] },
  })),
  addReleasePlan: ofFeature('addReleasePlan', fc.constant({ templateId: 'careful-rollout' })),
}
