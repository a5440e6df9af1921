import type { JsonValue } from '../change-request'
import type { ActionTable } from './action'
import { change, copyOf, mergedProperties, none, propertiesOf, withProperties } from './shared'

export const variantActions = {
  patchVariant: {
    target: 'variants',
    scope: 'environment',
    stage: 'change',
    phrase: (_payload, { subject }) => `Changing the variants of ${subject}`,
    conflict: none,
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
    effect: none,
  },
} satisfies Partial<ActionTable>
