import type { ApprovalRecord, ChangeRequest, RecordedRule } from '../change-request'
import type { Facts } from './facts'
import type { ReadyFacts } from './requirements'
import { countedApprovals } from './votes'

export function approvalRecord(current: ChangeRequest, facts: ReadyFacts): ApprovalRecord {
  return {
    digest: facts.digest,
    rules: facts.rules.map(({ name, environment, approvals, from }): RecordedRule => {
      return { name, environment, approvals, ...(from && { from }) }
    }),
    counted: countedApprovals(current, facts).map(({ createdBy }) => createdBy.id),
    ...(facts.checks.length > 0 && { checks: facts.checks }),
  }
}

/** If the flags cannot be read, the implied changes are those of the last approval: an edit would have removed it. */
export function closingRecord(
  { approvals }: ChangeRequest,
  { digest, flags }: Pick<Facts, 'digest' | 'flags'>,
): ApprovalRecord {
  return { digest: flags === undefined ? (approvals.at(-1)?.digest ?? digest) : digest }
}
