import type { ApplyTrace, ChangeRequest, EmergencyTrace, TracedCheck } from '../change-request'
import { resultsOf, unmetChecks } from '../checks/check'
import { named, openObjections } from '../content/objections'
import { overwrittenFields } from '../diff/overwrites'
import { freezesAt } from '../freezes/freeze'
import type { Facts } from '../steps/facts'
import { type ReadyFacts, requirementsOf, unmetRequirements } from '../steps/requirements'
import { countedApprovals } from '../steps/votes'

/** What is stored about an emergency. If nothing is missing, it is an ordinary apply, and nothing is stored. */
export function emergencyOf(
  current: ChangeRequest,
  reason: string | null,
  facts: ReadyFacts & Pick<Facts, 'freezes'>,
  now: string,
): EmergencyTrace | undefined {
  if (reason === null) return undefined
  const missing = [
    ...unmetRequirements(current, facts).map(
      ({ name, approvals, given }) => ({ code: 'missing-approvals', name, approvals, given }) as const,
    ),
    ...freezesAt(facts.freezes, now).map(({ name, until = null }) => ({ code: 'frozen', name, until }) as const),
    ...unmetChecks(current, facts).map(({ name, status }) => ({ code: 'missing-check', name, status }) as const),
    ...openObjections(current).map(
      ({ by, at }) => ({ code: 'objection', name: by.username ?? 'a user', by: named(by), at }) as const,
    ),
  ]
  return missing.length === 0 ? undefined : { reason, missing }
}

/** What an apply leaves in its event. */
export function traceOf(
  current: ChangeRequest,
  facts: ReadyFacts & Pick<Facts, 'flags' | 'overwritten' | 'policyDigest'>,
  emergency?: EmergencyTrace,
): ApplyTrace {
  const { flags, overwritten, policyDigest } = facts
  const checks = tracedChecks(current, facts)
  const always = { ...(emergency && { emergency }), ...(checks.length > 0 && { checks }) }
  if (policyDigest === undefined) return always
  const requirements = requirementsOf(current, facts)
  const rulesOf = (id: number) =>
    requirements.filter(
      ({ environment, approvedBy }) => environment !== null && approvedBy.some((one) => one.id === id),
    )
  const overwrote = overwrittenFields(current, overwritten)
  return {
    ...always,
    approvals: countedApprovals(current, facts).map(({ createdBy: { id, username }, createdAt }) => ({
      by: { id, username },
      at: createdAt,
      rules: [...new Set(rulesOf(id).map(({ name }) => name))],
    })),
    requirements: requirements.map(({ name, environment, approvals, given }) => ({
      name,
      environment,
      approvals,
      given,
    })),
    ...(overwrote.length > 0 && { overwrote }),
    // Open change requests have no flags only without a gateway.
    ...(flags === undefined && { recordOnly: true }),
    policy: policyDigest,
  }
}

/** Without the texts of the reports. */
function tracedChecks(current: ChangeRequest, { checks, digest }: ReadyFacts): readonly TracedCheck[] {
  return resultsOf(current, checks, digest).map(({ name, required, status, report }): TracedCheck => {
    if (report === undefined) return { name, required, status, reportedBy: null, reportedAt: null }
    const { id, username, kind = 'person' } = report.by
    return { name, required, status, reportedBy: { id, username, kind }, reportedAt: report.at }
  })
}
