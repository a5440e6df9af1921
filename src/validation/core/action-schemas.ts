import type { Ajv2020 } from 'ajv/dist/2020'
import type { Action } from '../../generated/index'
import type { HostSchema } from '../../kernel/host-services'
import { isSlow } from './pattern-cost'
import { firstProblem } from './problems'
import { partAt, type Resolve, withoutReferences } from './references'
import { changeSchemas, newAjv } from './registry'

type Node = Readonly<Record<string, unknown>>

/**
 * Compiles the schemas of the option `flags.actions`.
 *
 * @param warn is called for a pattern that takes long on texts that do not match
 * @throws TypeError that names the action
 */
export function compileActionSchemas(
  owner: string,
  given: Readonly<Partial<Record<Action, object>>>,
  warn: (action: Action, pattern: string) => void,
): ReadonlyMap<Action, HostSchema> {
  const ajv = newAjv({ strictTypes: false, strictTuples: false })
  const compiled = Object.entries(given).map(([name, schema]) => {
    const action = name as Action
    const option = `flags.actions.${action}`
    const refuse = (expected: string): never => {
      throw new TypeError(`${owner}: option "${option}" must be ${expected}.`)
    }
    const whole = withoutReferences(schema, resolveIn(schema, refuse)) as Node
    const validate = compile(ajv, whole, (message) => refuse(`a JSON Schema 2020-12: ${message}`))
    if (!hasClosedPayload(action, whole)) refuse('a schema whose payload has additionalProperties: false')
    for (const pattern of patternsIn(whole)) if (isSlow(pattern)) warn(action, pattern)
    const problemOf: HostSchema['problemOf'] = (change, place) => firstProblem(validate, change, place)
    return [action, { schema: whole, problemOf }] as const
  })
  return new Map<Action, HostSchema>(compiled)
}

function compile(ajv: Ajv2020, schema: object, refuse: (message: string) => never) {
  try {
    return ajv.compile(schema)
  } catch (error) {
    return refuse((error as Error).message)
  }
}

/** What the schema of the package leaves open, a gateway could not apply. A list and an absent payload are closed anyway. */
function hasClosedPayload(action: Action, { properties }: Node): boolean {
  const { payload } = (properties ?? {}) as { readonly payload?: Node }
  const takesPayload = Object.hasOwn(
    (changeSchemas.get(action) as { readonly properties: object }).properties,
    'payload',
  )
  if (payload === undefined) return !takesPayload
  return payload.type === 'array' || (payload.type === 'object' && payload.additionalProperties === false)
}

/** Only references inside the schema. */
function resolveIn(schema: unknown, refuse: (expected: string) => never): Resolve {
  return (reference, base, open) => {
    const isInside = typeof reference === 'string' && reference.startsWith('#/')
    const part = isInside ? partAt(reference, schema) : undefined
    if (part === undefined) return refuse('a schema that refers only to parts of itself, such as "#/$defs/name"')
    if (open.includes(reference)) return refuse('a schema that does not contain itself')
    return { part, base }
  }
}

function patternsIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return []
  const { pattern, patternProperties, examples: _examples, default: _default, ...rest } = node as Node
  return [
    ...(typeof pattern === 'string' ? [pattern] : []),
    ...(typeof patternProperties === 'object' ? Object.keys(patternProperties ?? {}) : []),
    ...Object.values(rest).flatMap(patternsIn),
    ...Object.values(patternProperties ?? {}).flatMap(patternsIn),
  ]
}
