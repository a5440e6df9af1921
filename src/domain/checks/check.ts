import type { CheckStatus } from '../../generated/index'
import type { ApprovalRule } from '../approval/approval-rule'
import type { ChangeRequest, CheckReport, RecordedCheck } from '../change-request'
import type { FlagState } from '../flag-state'
import { isEnforced, matchingRules, type RuleCondition, type RuleMode } from '../rules/condition'

/**
 * A result of another system, such as CI, that must be `passed` before change requests are applied. It is reported by
 * `PUT …/change-requests/:id/checks/:name`.
 *
 * @example
 * ```ts
 * const ci: Check = {
 *   name: 'ci',
 *   description: 'Smoke tests on staging',
 *   when: { environments: ['production'] },
 *   from: { groups: ['ci'] },
 * }
 * ```
 */
export interface Check {
  /** Part of the path of a report, and shown to users: 1 to 50 characters `a-z`, `0-9` and `-`; unique. */
  readonly name: string
  /** What it checks, shown to users. */
  readonly description?: string
  /** The change requests that it is for. Without it the check is for every change request. */
  readonly when?: RuleCondition
  /**
   * Whether it blocks until it has passed; otherwise it is only shown.
   * @defaultValue `true`
   */
  readonly required?: boolean
  /** Who can report it, in addition to the permission REPORT_CHECK: members of groups, and users. Absent: everyone with it. */
  readonly from?: NonNullable<ApprovalRule['from']>
  /**
   * Whether users who created or edited the change request may report it, such as a CI key that proposes and tests.
   * @defaultValue `false`
   */
  readonly byAuthor?: boolean
  /**
   * `trial`: the check is shown and can be reported, and blocks nothing. The event of an apply has the checks on trial that
   * matched.
   * @defaultValue `'enforce'`
   */
  readonly mode?: RuleMode
}

/** The checks of a router: a list, or a function that returns those of a project and environment. */
export type Checks =
  | readonly Check[]
  | ((place: {
      readonly project: string
      readonly environment: string
    }) => readonly Check[] | Promise<readonly Check[]>)

/**
 * The checks that match a change request, each name once: of several environments, that which blocks most.
 *
 * @param checks those of all environments that the changes affect, the own environment first
 */
export function matchingChecks(
  checks: readonly Check[],
  changeRequest: ChangeRequest,
  flags: FlagState | undefined,
): readonly RecordedCheck[] {
  const found = new Map<string, RecordedCheck>()
  for (const { name, description, required = true, mode } of matchingRules(checks, changeRequest, flags)) {
    const known = found.get(name)
    const text = known?.description ?? description
    const shown =
      known !== undefined && strictness(known) >= strictness({ required, mode }) ? known : { required, mode }
    found.set(name, {
      ...{ name, required: shown.required, ...(text && { description: text }) },
      ...(shown.mode === 'trial' && { mode: shown.mode }),
    })
  }
  return [...found.values()]
}

/** One that blocks is stricter than one on trial, and this one than one that is only shown. */
function strictness({ required, mode }: { readonly required: boolean; readonly mode?: RuleMode | undefined }): number {
  return required ? 1 + Number(mode !== 'trial') : 0
}

/** The same without the flags: whether a flag has a tag is unknown, so that a check for tags counts as one that matches. */
export function possibleChecks(checks: readonly Check[], changeRequest: ChangeRequest): readonly RecordedCheck[] {
  const withoutTags = checks.map(({ when: { tags: _, ...when } = {}, ...check }) => ({ ...check, when }))
  return matchingChecks(withoutTags, changeRequest, undefined)
}

/** A check with its last report for the current content. */
export interface CheckResult extends RecordedCheck {
  readonly report: CheckReport | undefined
  readonly status: CheckStatus | null
}

/** @param digest null if the current content is unknown: then no report counts */
export function resultsOf(
  { checkReports = [] }: Pick<ChangeRequest, 'checkReports'>,
  checks: readonly RecordedCheck[],
  digest: string | null,
): readonly CheckResult[] {
  return checks.map((check) => {
    const report = checkReports.findLast((one) => one.name === check.name && one.digest === digest)
    return { ...check, report, status: report?.status ?? null }
  })
}

/** The required checks that have not passed for exactly this content, without those on trial. */
export function unmetChecks(
  changeRequest: ChangeRequest,
  { checks, digest }: { readonly checks: readonly RecordedCheck[]; readonly digest: string },
): readonly CheckResult[] {
  return resultsOf(changeRequest, checks, digest).filter(
    (one) => one.required && isEnforced(one) && one.status !== 'passed',
  )
}

/** The last report of a check, and the ones before it. */
const maxReports = 11

/** @param known the checks that the option has now: reports of others are dropped */
export function withReport(
  current: ChangeRequest,
  report: CheckReport,
  known: readonly Pick<Check, 'name'>[],
): ChangeRequest {
  const names = new Set(known.map(({ name }) => name))
  const { checkReports = [] } = current
  const others = checkReports.filter(({ name }) => name !== report.name && names.has(name))
  const earlier = reportsOf(current, report.name).slice(1 - maxReports)
  return { ...current, checkReports: [...others, ...earlier, report] }
}

/** Oldest first. */
export function reportsOf({ checkReports = [] }: ChangeRequest, name: string): readonly CheckReport[] {
  return checkReports.filter((one) => one.name === name)
}

/** An edit or a rebase removes all reports: they were for other content. */
export function withoutReports(current: ChangeRequest): ChangeRequest {
  const { checkReports: _, ...others } = current
  return others
}
