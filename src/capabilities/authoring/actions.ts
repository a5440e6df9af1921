import type { ChangeScope } from '../../domain/actions/action'
import { scopeOf } from '../../domain/content/scope'
import type { Action } from '../../generated/index'
import type { Services } from '../../kernel/services'
import { changeSchemas, sharedSchemas } from '../../validation/core/schemas'

/** An action that can be proposed. */
export interface OfferedAction {
  readonly action: Action
  readonly scope: ChangeScope
  /** The JSON Schema of its change, without references. */
  readonly schema: object
}

/** The actions that the gateway accepts; all of them without a gateway. */
export function listActions({ actions }: Pick<Services, 'actions'>): readonly OfferedAction[] {
  return [...changeSchemas]
    .filter(([action]) => actions?.includes(action as Action) ?? true)
    .map(([name, schema]) => {
      const action = name as Action
      return { action, scope: scopeOf({ action }), schema: withoutReferences(schema) as object }
    })
}

interface Identified {
  readonly $id: string
}

const sharedById = new Map((sharedSchemas as readonly Identified[]).map((schema) => [schema.$id, schema]))

/** Inserts what a schema refers to. The schemas of changes do not refer to themselves. */
function withoutReferences(node: unknown, base = ''): unknown {
  if (Array.isArray(node)) return node.map((item) => withoutReferences(item, base))
  if (typeof node !== 'object' || node === null) return node
  const {
    $schema: _schema,
    $id = base,
    $ref,
    ...rest
  } = node as Partial<Identified> & { $schema?: string; $ref?: string }
  const own = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, withoutReferences(value, $id)]))
  return $ref === undefined ? own : { ...resolve($ref, $id), ...own }
}

function resolve(reference: string, base: string): object {
  const { origin, pathname, hash } = new URL(reference, base)
  const schema = sharedById.get(`${origin}${pathname}`)
  if (schema === undefined) throw new Error(`There is no schema ${reference}.`)
  const part = hash
    .split('/')
    .slice(1)
    .reduce<unknown>((found, key) => (found as Record<string, unknown>)[key], schema)
  return withoutReferences(part, schema.$id) as object
}
