import type { ChangeScope } from '../../domain/actions/action'
import { scopeOf } from '../../domain/actions/table'
import type { Action } from '../../generated/index'
import type { Services } from '../../kernel/services'
import { type FeatureNames, featureNameRules } from '../../validation/core/names'
import { allSchemas, changeSchemas } from '../../validation/core/schemas'

export interface OfferedAction {
  readonly action: Action
  readonly scope: ChangeScope
  /** The JSON Schema of its change, without references. */
  readonly schema: object
}

export function listActions(actions: Services['actions'], featureNames: FeatureNames): readonly OfferedAction[] {
  const shared = [...allSchemas, featureNameRules[featureNames].published] as readonly Identified[]
  const byId = new Map(shared.map((schema) => [schema.$id, schema]))
  return [...changeSchemas]
    .filter(([action]) => actions?.includes(action as Action) ?? true)
    .map(([name, schema]) => {
      const action = name as Action
      return { action, scope: scopeOf({ action }), schema: withoutReferences(schema, byId) as object }
    })
}

interface Identified {
  readonly $id: string
}

type SchemasById = ReadonlyMap<string, Identified>

/** Inserts what a schema refers to. The schemas of changes do not refer to themselves. */
function withoutReferences(node: unknown, byId: SchemasById, base = ''): unknown {
  if (Array.isArray(node)) return node.map((item) => withoutReferences(item, byId, base))
  if (typeof node !== 'object' || node === null) return node
  const {
    $schema: _schema,
    $id = base,
    $ref,
    ...rest
  } = node as Partial<Identified> & { $schema?: string; $ref?: string }
  const own = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, withoutReferences(value, byId, $id)]))
  return $ref === undefined ? own : { ...resolve($ref, byId, $id), ...own }
}

function resolve(reference: string, byId: SchemasById, base: string): object {
  const { origin, pathname, hash } = new URL(reference, base)
  const schema = byId.get(`${origin}${pathname}`)
  if (schema === undefined) throw new Error(`There is no schema ${reference}.`)
  const part = hash
    .split('/')
    .slice(1)
    .reduce<unknown>((found, key) => (found as Record<string, unknown>)[key], schema)
  return withoutReferences(part, byId, schema.$id) as object
}
