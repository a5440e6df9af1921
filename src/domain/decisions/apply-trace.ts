import type { ApplyTrace, ChangeRequest, EmergencyTrace, TracedCheck, TrialResult } from '../change-request'
import { type CheckResult, resultsOf, unmetChecks } from '../checks/check'
import { named, openObjections } from '../content/objections'
import { overwrittenFields } from '../diff/overwrites'
import { blockingFreezesAt, type Freeze, freezesAt } from '../freezes/freeze'
import { isEnforced } from '../rules/condition'
import type { Facts } from '../steps/facts'
import { isMet, type ReadyFacts, type Requirement, requirementsOf, unmetRequirements } from '../steps/requirements'
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
    ...blockingFreezesAt(facts.freezes, now).map(
      ({ name, until = null }) => ({ code: 'frozen', name, until }) as const,
    ),
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
  facts: ReadyFacts & Pick<Facts, 'flags' | 'overwritten' | 'policyDigest' | 'freezes'>,
  now: string,
  emergency?: EmergencyTrace,
): ApplyTrace {
  const { flags, overwritten, policyDigest, freezes } = facts
  const requirements = requirementsOf(current, facts)
  const results = resultsOf(current, facts.checks, facts.digest)
  const trial = trialResults(requirements, freezesAt(freezes, now), results)
  const always = {
    ...(emergency && { emergency }),
    ...(results.length > 0 && { checks: results.map(tracedCheck) }),
    ...(trial.length > 0 && { trial }),
  }
  if (policyDigest === undefined) return always
  const enforced = requirements.filter(isEnforced)
  const rulesOf = (id: number) =>
    enforced.filter(({ environment, approvedBy }) => environment !== null && approvedBy.some((one) => one.id === id))
  const overwrote = overwrittenFields(current, overwritten)
  return {
    ...always,
    approvals: countedApprovals(current, facts).map(({ createdBy, createdAt }) => ({
      by: named(createdBy),
      at: createdAt,
      rules: [...new Set(rulesOf(createdBy.id).map(({ name }) => name))],
    })),
    requirements: enforced.map(({ name, environment, approvals, given }) => ({ name, environment, approvals, given })),
    ...(overwrote.length > 0 && { overwrote }),
    // Open change requests have no flags only without a gateway.
    ...(flags === undefined && { recordOnly: true }),
    policy: policyDigest,
  }
}

function trialResults(
  requirements: readonly Requirement[],
  freezes: readonly Freeze[],
  results: readonly CheckResult[],
): readonly TrialResult[] {
  const isOnTrial = (one: Parameters<typeof isEnforced>[0]) => !isEnforced(one)
  return [
    ...requirements.filter(isOnTrial).map((one) => ({ kind: 'rule', name: one.name, met: isMet(one) }) as const),
    ...freezes.filter(isOnTrial).map(({ name }) => ({ kind: 'freeze', name, met: false }) as const),
    ...results
      .filter(isOnTrial)
      .map(({ name, status }) => ({ kind: 'check', name, met: status === 'passed' }) as const),
  ]
}

/** Without the texts of the report. */
function tracedCheck({ name, required, status, report }: CheckResult): TracedCheck {
  if (report === undefined) return { name, required, status, reportedBy: null, reportedAt: null }
  const { id, username, kind = 'person' } = report.by
  return { name, required, status, reportedBy: { id, username, kind }, reportedAt: report.at }
}
