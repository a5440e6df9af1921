import { allActions } from '../actions/table'
import { approvalCountText, isApprovalCount } from './approval-count'
import type { ApprovalRule } from './approval-rule'

type Check = (value: unknown) => boolean

const isText: Check = (value) => typeof value === 'string' && value.trim() !== ''
const isId: Check = (value) => Number.isSafeInteger(value) && (value as number) > 0
const isTag: Check = (value) => isObject(value) && isText(value.type) && isText(value.value) && hasOnly(value, tagKeys)
const tagKeys = { type: isText, value: isText }

/** Empty lists are rejected: such a rule would never match, or could never be met. */
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.length > 0 && value.every(check)

const authorKinds: readonly unknown[] = ['person', 'service', 'agent']

const conditions: { readonly [key in keyof Required<NonNullable<ApprovalRule['when']>>]: [Check, string] } = {
  projects: [listOf(isText), 'a list of names'],
  environments: [listOf(isText), 'a list of names'],
  actions: [listOf((value) => (allActions as readonly unknown[]).includes(value)), 'a list of known actions'],
  features: [listOf(isText), 'a list of names'],
  segments: [(value) => value === true || listOf(isId)(value), 'true, or a list of ids'],
  tags: [listOf(isTag), 'a list of tags such as { type: "team", value: "payments" }'],
  authors: [listOf((value) => authorKinds.includes(value)), `a list of ${authorKinds.join(', ')}`],
}

const sources: { readonly [key in keyof Required<NonNullable<ApprovalRule['from']>>]: [Check, string] } = {
  groups: [listOf(isText), 'a list of names'],
  users: [listOf(isId), 'a list of ids'],
}

const ruleKeys = { name: true, when: true, approvals: true, from: true }

/** The problem of the first invalid rule, with its name, or undefined. */
export function problemInRules(rules: unknown, { hasFlags }: { readonly hasFlags: boolean }): string | undefined {
  if (!Array.isArray(rules)) return 'must be a list of rules'
  const names = new Set<unknown>(['minimum'])
  for (const [index, rule] of rules.entries()) {
    if (!isObject(rule)) return `must be a list of rules; item ${index + 1} is not an object`
    const { name } = rule
    if (!isText(name)) return `must be a list of rules with names; rule ${index + 1} has none`
    if (names.has(name)) {
      return name === 'minimum'
        ? 'must not have a rule named "minimum": this name is reserved'
        : `must have unique names; ${quote(name)} is used twice`
    }
    names.add(name)
    const problem = problemIn(rule, hasFlags)
    if (problem !== undefined) return `has an invalid rule ${quote(name)}: ${problem}`
  }
  return undefined
}

function problemIn(rule: Readonly<Record<string, unknown>>, hasFlags: boolean): string | undefined {
  const { approvals, when, from } = rule
  const unknown = Object.keys(rule).find((key) => !(key in ruleKeys))
  if (unknown !== undefined) return `unknown key ${quote(unknown)}`
  if (!isApprovalCount(approvals)) return `approvals must be ${approvalCountText}`
  const tags = isObject(when) && when.tags !== undefined
  return (
    problemInPart('when', when, conditions) ??
    (tags && !hasFlags ? 'when.tags needs the option flags' : undefined) ??
    problemInPart('from', from, sources) ??
    (isObject(from) && Object.keys(from).length === 0 ? 'from must name groups or users' : undefined)
  )
}

function problemInPart(part: string, value: unknown, keys: { readonly [key: string]: [Check, string] }) {
  if (value === undefined) return undefined
  if (!isObject(value)) return `${part} must be an object`
  for (const [key, given] of Object.entries(value)) {
    const expected = Object.hasOwn(keys, key) ? keys[key] : undefined
    if (expected === undefined) return `unknown key ${quote(`${part}.${key}`)}`
    if (given !== undefined && !expected[0](given)) return `${part}.${key} must be ${expected[1]}`
  }
  return undefined
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function hasOnly(value: object, keys: object): boolean {
  return Object.keys(value).every((key) => key in keys)
}

function quote(name: unknown): string {
  return JSON.stringify(String(name).slice(0, 100))
}
