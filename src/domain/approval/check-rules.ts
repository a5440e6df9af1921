import { allActions } from '../actions/table'
import type { ApprovalRule } from './approval-rule'

/** The number of approvals that a setting or rule can require (contract 3.2). */
const min = 1
const max = 10

export const approvalCountText = `a whole number from ${min} to ${max}`

export function isApprovalCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= min && (value as number) <= max
}

export function toApprovalCount(value: number): number {
  return Math.min(Math.max(value, min), max)
}

type Check = (value: unknown) => boolean

/** The accepted values of each key of an object, and their description for a message. */
type KeyChecks = { readonly [key: string]: readonly [Check, string] }

export const isText: Check = (value) => typeof value === 'string' && value.trim() !== ''
const isId: Check = (value) => Number.isSafeInteger(value) && (value as number) > 0
const isTag: Check = (value) =>
  isObject(value) && isText(value.type) && isText(value.value) && problemInKeys(value, tagKeys) === undefined
const tagKeys = { type: isText, value: isText }

/** Empty lists are rejected: such a rule would never match, or could never be met. */
const listOf =
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
} as const satisfies { readonly [key in keyof Required<NonNullable<ApprovalRule['when']>>]: readonly [Check, string] }

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

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function quote(name: unknown): string {
  return JSON.stringify(String(name).slice(0, 100))
}

const sources: { readonly [key in keyof Required<NonNullable<ApprovalRule['from']>>]: readonly [Check, string] } = {
  groups: [listOf(isText), 'a list of names'],
  users: [listOf(isId), 'a list of ids'],
}

const ruleKeys = { name: true, when: true, approvals: true, from: true }

export function problemInRules(rules: unknown, options: { readonly hasFlags: boolean }): string | undefined {
  return problemInNamed('rule', rules, ['minimum'], (rule) => {
    const { approvals, when, from } = rule
    const unknown = problemInKeys(rule, ruleKeys)
    if (unknown !== undefined) return unknown
    if (!isApprovalCount(approvals)) return `approvals must be ${approvalCountText}`
    return problemInWhen(when, options) ?? problemInSources(from)
  })
}

export function problemInWhen(when: unknown, { hasFlags }: { readonly hasFlags: boolean }): string | undefined {
  const tags = isObject(when) && when.tags !== undefined
  return problemInPart('when', when, conditions) ?? (tags && !hasFlags ? 'when.tags needs the option flags' : undefined)
}

export function problemInSources(from: unknown): string | undefined {
  return (
    problemInPart('from', from, sources) ??
    (isObject(from) && Object.keys(from).length === 0 ? 'from must name groups or users' : undefined)
  )
}
