import type { Action } from '../../generated/index'
import { allActions } from '../actions/table'
import { escaped, namesIn } from '../content/json-pointer'
import type { FieldCondition } from './altered-fields'
import type { RuleCondition } from './condition'
import { findField, partKindOf } from './part-fields'

export type Check = (value: unknown) => boolean

/** The accepted values of each key of an object, and their description for a message. */
type KeyChecks = { readonly [key: string]: readonly [Check, string] }

export const isText: Check = (value) => typeof value === 'string' && value.trim() !== ''
export const isId: Check = (value) => Number.isSafeInteger(value) && (value as number) > 0
const isTag: Check = (value) =>
  isObject(value) && isText(value.type) && isText(value.value) && problemInKeys(value, tagKeys) === undefined
const tagKeys = { type: isText, value: isText }

/** Empty lists are rejected: such a rule would never match, or could never be met. */
export const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.length > 0 && value.every(check)

const authorKinds: readonly unknown[] = ['person', 'service', 'agent']

export const conditions = {
  projects: [listOf(isText), 'a list of names'],
  environments: [listOf(isText), 'a list of names'],
  actions: [listOf((value) => (allActions as readonly unknown[]).includes(value)), 'a list of known actions'],
  features: [listOf(isText), 'a list of names'],
  segments: [(value) => value === true || listOf(isId)(value), 'true, or a list of ids'],
  tags: [listOf(isTag), 'a list of tags such as { type: "team", value: "payments" }'],
  authors: [listOf((value) => authorKinds.includes(value)), `a list of ${authorKinds.join(', ')}`],
  fields: [listOf(isObject), 'a list of fields such as { path: "/parameters/rollout", by: 25 }'],
} as const satisfies { readonly [key in keyof Required<RuleCondition>]: readonly [Check, string] }

export function problemInCondition(when: unknown, { hasFlags }: { readonly hasFlags: boolean }): string | undefined {
  const problem = problemInPart('when', when, conditions)
  if (problem !== undefined || !isObject(when)) return problem
  const { tags, fields = [] } = when as RuleCondition
  if (tags !== undefined && !hasFlags) return 'when.tags needs the option flags'
  return fields.map(problemInField).find((one) => one !== undefined)
}

const isNumber: Check = (value) => Number.isFinite(value)

const fieldKeys: { readonly [key in keyof Required<FieldCondition>]: readonly [Check, string] } = {
  path: [isPointer, 'a JSON pointer such as "/parameters/rollout"'],
  by: [(value) => isNumber(value) && (value as number) >= 0, 'a number that is at least 0'],
  above: [isNumber, 'a number'],
  below: [isNumber, 'a number'],
}

function isPointer(value: unknown): boolean {
  return typeof value === 'string' && /^(?:\/(?:[^/~]|~[01])+)+$/.test(value)
}

function problemInField(field: FieldCondition, index: number): string | undefined {
  const name = `when.fields[${index}]`
  const problem = problemInPart(name, field, fieldKeys)
  if (problem !== undefined) return problem
  if (field.path === undefined) return `${name}.path must be ${fieldKeys.path[1]}`
  const names = namesIn(field.path)
  if (findField(names) !== 'in a list') return undefined
  const list = names.map((_, length) => names.slice(0, length)).findLast((one) => findField(one) === 'field')
  const path = `/${(list ?? []).map(escaped).join('/')}`
  return `${name}.path leads into a list whose elements have no names; use ${quote(path)}`
}

/** The fields of these rules that none of the actions can alter, as far as the fields are known. */
export function unalterableFields(
  rules: readonly { readonly name: string; readonly when?: RuleCondition }[],
  actions: readonly Action[],
): readonly { readonly name: string; readonly path: string }[] {
  const kinds = actions.map((action) => partKindOf({ action }))
  return rules.flatMap(({ name, when }) =>
    (when?.fields ?? []).flatMap(({ path }) => (findField(namesIn(path), kinds) === 'field' ? [] : { name, path })),
  )
}

export function problemInPart(part: string, value: unknown, keys: KeyChecks): string | undefined {
  if (value === undefined) return undefined
  if (!isObject(value)) return `${part} must be an object`
  for (const [key, given] of Object.entries(value)) {
    const expected = Object.hasOwn(keys, key) ? keys[key] : undefined
    if (expected === undefined) return `unknown key ${quote(`${part}.${key}`)}`
    if (given !== undefined && !expected[0](given)) return `${part}.${key} must be ${expected[1]}`
  }
  return undefined
}

export function problemInKeys(value: object, known: object): string | undefined {
  const unknown = Object.keys(value).find((key) => !Object.hasOwn(known, key))
  return unknown === undefined ? undefined : `unknown key ${quote(unknown)}`
}

/** The problem of the first invalid item of a list, with its name, or undefined. Names are unique. */
export function problemInNamed(
  what: string,
  items: unknown,
  reserved: readonly string[],
  problemIn: (item: Readonly<Record<string, unknown>>) => string | undefined,
): string | undefined {
  if (!Array.isArray(items)) return `must be a list of ${what}s`
  const names = new Set<unknown>()
  for (const [index, item] of items.entries()) {
    if (!isObject(item)) return `must be a list of ${what}s; item ${index + 1} is not an object`
    const { name } = item
    if (!isText(name)) return `must be a list of ${what}s with names; ${what} ${index + 1} has none`
    if (reserved.includes(name as string)) return `must not have a ${what} named ${quote(name)}: this name is reserved`
    if (names.has(name)) return `must have unique names; ${quote(name)} is used twice`
    names.add(name)
    const problem = problemIn(item)
    if (problem !== undefined) return `has an invalid ${what} ${quote(name)}: ${problem}`
  }
  return undefined
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function quote(name: unknown): string {
  return JSON.stringify(String(name).slice(0, 100))
}

export function problemInMode(mode: unknown): string | undefined {
  return mode === undefined || mode === 'enforce' || mode === 'trial' ? undefined : 'mode must be "enforce" or "trial"'
}
