import type { ApprovalRule, PlacedRule } from '../approval/approval-rule'
import { expiresAt, isExpired } from '../approval/expiry'
import type { ChangeRequest, Person, Vote } from '../change-request'
import { unmetChecks } from '../checks/check'
import { isOwn } from '../content/authors'
import { openObjections } from '../content/objections'
import { byInstant } from '../instants'
import type { Missing } from './codes'
import type { Facts } from './facts'
import { countedApprovals } from './votes'

export interface Requirement {
  readonly name: string
  /** The environment whose rule it is; null for the minimum. */
  readonly environment: string | null
  readonly approvals: number
  readonly given: number
  /** Whose approvals count; null for every holder of the permission. */
  readonly from: { readonly groups: readonly string[]; readonly users: readonly number[] } | null
  readonly approvedBy: readonly Person[]
  /** Whether enough users could approve; null if unknown. */
  readonly satisfiable: boolean | null
  /** The number of approvals that would count if they had not expired; absent if approvals never expire. */
  readonly expired?: number
  /** When the first approval that counts expires; null if none counts, absent if approvals never expire. */
  readonly expiresAt?: string | null
}

export const approvalFacts = ['digest', 'rules', 'approvers', 'expiry'] as const

export type ApprovalFacts = Pick<Facts, (typeof approvalFacts)[number]>

export const readyFacts = [...approvalFacts, 'checks'] as const

export type ReadyFacts = Pick<Facts, (typeof readyFacts)[number]>

export interface Candidate {
  readonly id: number
  /** Undefined if the host app does not return them. */
  readonly groups?: readonly string[]
}

/** All requirements, the minimum of the environment first. */
export function requirementsOf(
  current: ChangeRequest,
  facts: Omit<ApprovalFacts, 'digest'> & { readonly digest: string | null },
  candidates?: readonly Candidate[],
): readonly Requirement[] {
  const { expiry } = facts
  const all = countedApprovals(current, { ...facts, expiry: undefined })
  // An ADMIN may be allowed to approve their own change request. Such an approval counts for no rule.
  const byOthers = all.filter(({ createdBy }) => !isOwn(current, createdBy.id))
  const others = candidates?.filter(({ id }) => !isOwn(current, id))
  const minimum = { name: 'minimum', environment: null, approvals: current.minApprovals }
  return [
    requirementOf(minimum, { votes: all, expiry }, others),
    ...facts.rules.map((rule) => requirementOf(rule, { votes: byOthers, expiry }, others)),
  ]
}

function requirementOf(
  rule: Pick<PlacedRule, 'name' | 'approvals' | 'from'> & Pick<Requirement, 'environment'>,
  { votes, expiry }: { readonly votes: readonly Vote[] } & Pick<ApprovalFacts, 'expiry'>,
  candidates: readonly Candidate[] | undefined,
): Requirement {
  const { name, environment, approvals } = rule
  const from = sourcesOf(rule)
  const all = votes.filter(({ createdBy, groups = [] }) => isFrom(from, { id: createdBy.id, groups }))
  const counted = all.filter((vote) => !isExpired(vote, expiry))
  const approvedBy = counted.map(({ createdBy }) => createdBy)
  const satisfiable = candidates === undefined ? null : isSatisfiable(approvals, from, approvedBy, candidates)
  return {
    ...{ name, environment, approvals, given: counted.length, from, approvedBy, satisfiable },
    ...(expiry && {
      expired: all.length - counted.length,
      expiresAt: counted.map((vote) => expiresAt(vote, expiry)).sort(byInstant)[0] ?? null,
    }),
  }
}

export function sourcesOf({ from }: Pick<ApprovalRule, 'from'>): Requirement['from'] {
  return from === undefined ? null : { groups: from.groups ?? [], users: from.users ?? [] }
}

export function isFrom(
  from: Requirement['from'],
  { id, groups = [] }: Pick<Candidate, 'groups'> & { readonly id: number | null },
): boolean {
  return (
    from === null || (id !== null && from.users.includes(id)) || groups.some((group) => from.groups.includes(group))
  )
}

/** A user whose groups are unknown may be in any group. */
function isSatisfiable(
  approvals: number,
  from: Requirement['from'],
  approvedBy: readonly Person[],
  candidates: readonly Candidate[],
): boolean | null {
  const able = new Set(approvedBy.map(({ id }) => id))
  for (const candidate of candidates) if (isFrom(from, candidate)) able.add(candidate.id)
  if (able.size >= approvals) return true
  return candidates.some(({ id, groups }) => groups === undefined && !able.has(id)) ? null : false
}

export function isMet({ approvals, given }: Requirement): boolean {
  return given >= approvals
}

export function unmetRequirements(current: ChangeRequest, facts: ApprovalFacts): readonly Requirement[] {
  return requirementsOf(current, facts).filter((one) => !isMet(one))
}

/** True if all requirements are met by approvals of exactly what would be applied (contract 6.3). */
export function isApproved(current: ChangeRequest, facts: ApprovalFacts): boolean {
  return unmetRequirements(current, facts).length === 0
}

/** The moment from which a requirement is no longer met, because approvals expire; null if one is unmet, or if they never do. */
export function approvedUntil(current: ChangeRequest, facts: ApprovalFacts): string | null {
  const { expiry } = facts
  if (expiry === undefined || !isApproved(current, facts)) return null
  const moments = countedApprovals(current, facts).map((vote) => expiresAt(vote, expiry))
  return moments.sort(byInstant).find((at) => !isApproved(current, { ...facts, expiry: { ...expiry, at } })) ?? null
}

/** Whether only a time is missing, by what is decided here: a preset schedule then takes effect. */
export function isReadyToSchedule(current: ChangeRequest, facts: ReadyFacts): boolean {
  const isFree = current.state === 'Approved' && openObjections(current).length === 0
  return isFree && isApproved(current, facts) && unmetChecks(current, facts).length === 0
}

export function approvalsMissing(current: ChangeRequest, facts: ApprovalFacts): readonly Missing[] {
  return unmetRequirements(current, facts).map((unmet) => ({
    code: 'missing-approvals',
    message: unmet.name === 'minimum' ? minimumMissing(current, facts, unmet) : ruleMissing(current, unmet),
  }))
}

function minimumMissing(current: ChangeRequest, { digest, expiry }: ApprovalFacts, unmet: Requirement) {
  const { given, approvals, expired = 0 } = unmet
  const stillValid = `${given} of ${approvals} approvals are still valid; approve again.`
  if (expired > 0) return `${expirySentence(expired)} ${stillValid}`
  const upToDate = countedApprovals(current, { digest, expiry, approvers: undefined }).length
  if (upToDate > given) {
    return `The change request has ${given} of ${approvals} approvals from users who can still approve.`
  }
  return current.approvals.length === upToDate
    ? `The change request has ${given} of ${approvals} approvals.`
    : `The approved changes no longer match what would be applied. ${stillValid}`
}

function expirySentence(expired: number): string {
  return expired === 1 ? '1 approval has expired.' : `${expired} approvals have expired.`
}

function ruleMissing(current: ChangeRequest, requirement: Requirement): string {
  const { name, environment, given, approvals, from, expired = 0 } = requirement
  const whose = from === null ? '' : ` from ${sourcesText(from)}`
  const where = environment === null || environment === current.environment ? '' : ` in ${environment}`
  const sentence = `The approval rule "${name}"${where} has ${given} of ${approvals} approvals${whose}.`
  return expired === 0 ? sentence : `${sentence} ${expirySentence(expired)}`
}

export function sourcesText({ groups, users }: NonNullable<Requirement['from']>): string {
  const names = groups.map((group) => `"${group}"`)
  const sources = [
    ...(groups.length === 0 ? [] : [`members of ${names.join(' or ')}`]),
    ...(users.length === 0 ? [] : [`the users ${users.join(', ')}`]),
  ]
  return sources.join(' or ')
}
