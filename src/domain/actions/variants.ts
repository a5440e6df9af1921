import type { JsonValue } from '../change-request'
import type { ActionTable } from './action'
import { change, copyOf, mergedProperties, none, propertiesOf } from './shared'

export const variantActions = {
  patchVariant: {
    target: 'variants',
    scope: 'environment',
    stage: 'change',
    phrase: (_payload, { subject }) => `Changing the variants of ${subject}`,
    conflict: none,
    snapshot: (_payload, { variants }) => variants && { variants: [...variants] },
    targetPart: (_payload, { variants }) => variants && { variants: copyOf([...variants]) },
    after: ({ variants }, feature) =>
      feature.variants ? { ...feature, variants: variants as unknown as JsonValue[] } : feature,
    merged: mergedProperties,
    inverse(_payload, { snapshot }) {
      const before = propertiesOf(snapshot)
      return before && [change('patchVariant', { variants: before.variants })]
    },
    effect: none,
  },
} satisfies Partial<ActionTable>
