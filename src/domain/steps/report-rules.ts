import { ChangeRequestError } from '../../errors'
import { unmetChecks } from '../checks/check'
import { isOwn } from '../content/authors'
import { isClosed, isDecidable } from '../lifecycle'
import type { Missing } from './codes'
import { isFrom, sourcesOf, sourcesText } from './requirements'
import { rule } from './rule'
import { wrongState } from './state-rules'

const ofReport = ['checkName', 'placeChecks'] as const

/** The caller is one of those who can report the check, in every environment that has it. */
export const meetsSources = rule([...ofReport, 'userId', 'callerGroups'], (_, facts) => {
  const { checkName, placeChecks, userId, callerGroups: groups } = facts
  return placeChecks.flatMap((check): Missing | [] => {
    const from = check.name === checkName ? sourcesOf(check) : null
    if (from === null || isFrom(from, { id: userId, groups })) return []
    const permission = 'REPORT_CHECK'
    const message = `The check "${check.name}" accepts reports of ${sourcesText(from)} only.`
    return { code: 'missing-permission', message, permission }
  })
})

/** Nobody reports a check of their own changes, also if a machine made them or reports for that person. */
export const isUninvolved = rule([...ofReport, 'userId', 'callerFor'], (current, facts) => {
  const { checkName, placeChecks, userId, callerFor } = facts
  if (!isOwn(current, userId) && !isOwn(current, callerFor)) return undefined
  const named = placeChecks.filter(({ name }) => name === checkName)
  if (named.length > 0 && named.every(({ byAuthor }) => byAuthor === true)) return undefined
  return {
    code: 'own-change-request',
    message: "You can't report a check of a change request that you, or the person you act for, created or edited.",
  }
})

export const isKnownCheck = rule(['checkName', 'checks'], ({ id }, { checkName, checks }) => {
  if (checks.some(({ name }) => name === checkName)) return undefined
  const message = `The change request ${id} has no check "${String(checkName).slice(0, 50)}".`
  return { code: 'invalid', message, error: new ChangeRequestError('NotFoundError', message) }
})

export const isReportable = rule([], (current) =>
  isDecidable(current)
    ? undefined
    : wrongState(`Checks are reported from the review to the apply; this change request is ${current.state}.`),
)

export const checksPassed = rule(['checks', 'digest'], (current, facts) =>
  isClosed(current) ? undefined : checksMissing(current, facts),
)

const problems = {
  null: 'has no report for the current content',
  pending: 'is pending',
  failed: 'has failed',
  passed: 'has passed',
} as const

export function checksMissing(...checked: Parameters<typeof unmetChecks>): readonly Missing[] {
  return unmetChecks(...checked).map(({ name, status }) => ({
    code: 'missing-check',
    message: `The required check "${name}" ${problems[status ?? 'null']}.`,
  }))
}
