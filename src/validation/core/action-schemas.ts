import type { Ajv2020 } from 'ajv/dist/2020'
import type { Action } from '../../generated/index'
import type { HostSchema } from '../../kernel/host-services'
import { isSlow } from './pattern-cost'
import { firstProblem } from './problems'
import { addFormats, changeSchemas } from './registry'

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
  // biome-ignore lint/style/noCommonJs: loaded on first use, as in the registry
  const ajv2020: typeof import('ajv/dist/2020') = require('ajv/dist/2020')
  const ajv = new ajv2020.Ajv2020({
    strict: true,
    strictTypes: false,
    strictTuples: false,
    ownProperties: true,
    verbose: true,
  })
  addFormats(ajv)
  const compiled = Object.entries(given).map(([name, schema]) => {
    const action = name as Action
    const option = `flags.actions.${action}`
    const refuse = (expected: string): never => {
      throw new TypeError(`${owner}: option "${option}" must be ${expected}.`)
    }
    const whole = withoutReferences(schema, schema, refuse) as Node
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

const annotations = ['title', 'description', 'default', 'examples']

/** Inserts what the schema refers to inside itself. What is next to a reference holds in addition to it. */
function withoutReferences(
  node: unknown,
  root: object,
  refuse: (expected: string) => never,
  open: readonly string[] = [],
): unknown {
  if (Array.isArray(node)) return node.map((item) => withoutReferences(item, root, refuse, open))
  if (typeof node !== 'object' || node === null) return node
  const { $ref, $defs: _defs, $schema: _schema, $id: _id, ...rest } = node as Node
  const entries = Object.entries(rest).map(([key, value]) => [key, withoutReferences(value, root, refuse, open)])
  const own = Object.fromEntries(entries) as { readonly allOf?: readonly unknown[] }
  if ($ref === undefined) return own
  const isInside = typeof $ref === 'string' && $ref.startsWith('#/')
  const target = isInside ? follow($ref, root) : undefined
  if (!isInside || target === undefined)
    return refuse('a schema that refers only to parts of itself, such as "#/$defs/name"')
  if (open.includes($ref)) return refuse('a schema that does not contain itself')
  const referred = withoutReferences(target, root, refuse, [...open, $ref]) as Node
  const isInBoth = Object.keys(own).some((key) => Object.hasOwn(referred, key) && !annotations.includes(key))
  return isInBoth ? { ...own, allOf: [...(own.allOf ?? []), referred] } : { ...referred, ...own }
}

function follow(pointer: string, root: object): unknown {
  const keys = pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  return keys.reduce<unknown>((node, key) => (node as Node | undefined)?.[key], root)
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
