import {
  type Check,
  isId,
  isObject,
  isText,
  listOf,
  problemInCondition,
  problemInKeys,
  problemInMode,
  problemInNamed,
  problemInPart,
} from '../rules/check-condition'
import type { ApprovalRule } from './approval-rule'

/** The number of approvals that a setting or rule can require (contract 3.2). */
const min = 1
const max = 10

export const approvalCountText = `a whole number from ${min} to ${max}`

export function isApprovalCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= min && (value as number) <= max
}

function isAboveMinimum(value: unknown): boolean {
  if (!isObject(value) || problemInKeys(value, { aboveMinimum: true }) !== undefined) return false
  return isApprovalCount(value.aboveMinimum) && value.aboveMinimum < max
}

export function toApprovalCount(value: number): number {
  return Math.min(Math.max(value, min), max)
}

const sources: { readonly [key in keyof Required<NonNullable<ApprovalRule['from']>>]: readonly [Check, string] } = {
  groups: [listOf(isText), 'a list of names'],
  users: [listOf(isId), 'a list of ids'],
}

const ruleKeys = { name: true, mode: true, when: true, approvals: true, from: true }

export function problemInRules(rules: unknown, options: { readonly hasFlags: boolean }): string | undefined {
  return problemInNamed('rule', rules, ['minimum'], (rule) => {
    const { mode, approvals, when, from } = rule
    const unknown = problemInKeys(rule, ruleKeys)
    if (unknown !== undefined) return unknown
    if (!isApprovalCount(approvals) && !isAboveMinimum(approvals)) {
      return `approvals must be ${approvalCountText}, or { aboveMinimum: a whole number from ${min} to ${max - 1} }`
    }
    return problemInMode(mode) ?? problemInCondition(when, options) ?? problemInSources(from)
  })
}

export function problemInSources(from: unknown): string | undefined {
  return (
    problemInPart('from', from, sources) ??
    (isObject(from) && Object.keys(from).length === 0 ? 'from must name groups or users' : undefined)
  )
}
