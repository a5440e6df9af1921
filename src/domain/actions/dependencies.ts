import type { JsonValue } from '../change-request'
import type { FeatureState } from '../flag-state'
import type { ActionTable, Inverse } from './action'
import { change, copyOf, inProject, isMissing, listOf, propertiesOf, withProperties } from './shared'

const ofParents = {
  target: 'parents',
  ...inProject,
  hasSnapshot: true,
  targetPart: (_payload: unknown, { dependencies }: FeatureState) =>
    dependencies && { dependencies: copyOf([...dependencies]) },
  withPart: withProperties,
} as const

export const dependencyActions = {
  addDependency: {
    ...ofParents,
    phrase: ({ feature: parent }, { subject }) => `Adding the parent ${parent} to ${subject}`,
    conflict({ feature: parent }, { possibleParents }, { feature }) {
      if (parent === feature) return 'Feature has been set as its own parent'
      return isMissing(parent, possibleParents) ? 'Parent feature has been archived' : undefined
    },
    after({ feature: parent, enabled = true, variants = [], ...unknown }, feature) {
      const added = { feature: parent, enabled, variants: enabled ? variants : [], ...unknown } as unknown as JsonValue
      const others = feature.dependencies?.filter((one) => parentOf(one) !== parent)
      return others ? { ...feature, dependencies: [...others, added] } : feature
    },
    inverse({ feature: parent }, { snapshot }) {
      const before = propertiesOf(snapshot)
      if (before === undefined) return undefined
      const earlier = listOf(before.dependencies).filter((one) => parentOf(one) === parent)
      return earlier.length > 0 ? earlier.map(addParent) : [change('deleteDependency', { feature: parent })]
    },
  },
  deleteDependency: {
    ...ofParents,
    phrase: ({ feature: parent }, { subject }) =>
      parent === undefined ? `Removing all parents of ${subject}` : `Removing the parent ${parent} of ${subject}`,
    after(payload, feature) {
      const left = feature.dependencies?.filter((one) => !isNamed(payload, one))
      return left ? { ...feature, dependencies: left } : feature
    },
    unseen: ({ feature: _, ...unknown }) => unknown,
    inverse(payload, { snapshot }) {
      const before = propertiesOf(snapshot)
      const removed = listOf(before?.dependencies).filter((one) => isNamed(payload, one))
      return before && removed.map(addParent)
    },
  },
} satisfies Partial<ActionTable>

function isNamed({ feature: parent }: { readonly feature?: string }, dependency: JsonValue): boolean {
  return parent === undefined || parentOf(dependency) === parent
}

function parentOf(dependency: JsonValue): unknown {
  return (dependency as { readonly feature?: unknown } | null)?.feature
}

function addParent(dependency: JsonValue): Inverse {
  return { action: 'addDependency', payload: dependency }
}
