import { approvalCountText, isApprovalCount } from './approval-count'
import type { ApprovalRule } from './approval-rule'
import {
  type Check,
  conditions,
  isId,
  isObject,
  isText,
  listOf,
  problemInKeys,
  problemInNamed,
  problemInPart,
} from './check-condition'

const sources: { readonly [key in keyof Required<NonNullable<ApprovalRule['from']>>]: readonly [Check, string] } = {
  groups: [listOf(isText), 'a list of names'],
  users: [listOf(isId), 'a list of ids'],
}

const ruleKeys = { name: true, when: true, approvals: true, from: true }

/** The problem of the first invalid rule, with its name, or undefined. */
export function problemInRules(rules: unknown, { hasFlags }: { readonly hasFlags: boolean }): string | undefined {
  return problemInNamed('rule', rules, ['minimum'], (rule) => problemIn(rule, hasFlags))
}

function problemIn(rule: Readonly<Record<string, unknown>>, hasFlags: boolean): string | undefined {
  const { approvals, when, from } = rule
  const unknown = problemInKeys(rule, ruleKeys)
  if (unknown !== undefined) return unknown
  if (!isApprovalCount(approvals)) return `approvals must be ${approvalCountText}`
  const tags = isObject(when) && when.tags !== undefined
  return (
    problemInPart('when', when, conditions) ??
    (tags && !hasFlags ? 'when.tags needs the option flags' : undefined) ??
    problemInPart('from', from, sources) ??
    (isObject(from) && Object.keys(from).length === 0 ? 'from must name groups or users' : undefined)
  )
}
