import type { Vote } from '../change-request'
import { instantOf, lastInstant } from '../instants'

export interface ApprovalExpiry {
  readonly afterMs: number
  /** The time of the decision: UTC, ISO 8601 with milliseconds. */
  readonly at: string
}

export function expiresAt(vote: Pick<Vote, 'createdAt'>, { afterMs }: Pick<ApprovalExpiry, 'afterMs'>): string {
  return new Date(Math.min(instantOf(vote.createdAt) + afterMs, lastInstant)).toISOString()
}

/** Approvals that were given at this time or earlier have expired. */
export function expiredUpTo({ afterMs, at }: ApprovalExpiry): string {
  return new Date(Math.max(Date.parse(at) - afterMs, 0)).toISOString()
}

export function isExpired(vote: Pick<Vote, 'createdAt'>, expiry: ApprovalExpiry | undefined): boolean {
  return expiry !== undefined && instantOf(expiry.at) >= instantOf(expiresAt(vote, expiry))
}
