import fc from 'fast-check'
import type { ApprovalRule } from '../../../src/domain/approval/approval-rule'
import type { ChangeRequest, Emergency, NewChange, Objection, Vote } from '../../../src/domain/change-request'
import type { Check } from '../../../src/domain/checks/check'
import { withSnapshots, withTraces } from '../../../src/domain/diff/snapshots'
import type { State } from '../../../src/domain/lifecycle'
import { states, stepNames } from '../../../src/generated/lists'
import { digestOf } from '../../../src/kernel/digest'
import { previewOf } from '../../../src/kernel/host/flag-state'
import type { Permission } from '../../../src/ports/access'
import { noon } from '../../kernel/support/fixture'
import { HostFlags } from '../../kernel/support/flags'
import { changeRequest } from '../fixtures'

const permissions: readonly Permission[] = [
  'READ_CHANGE_REQUEST',
  'CREATE_CHANGE_REQUEST',
  'APPROVE_CHANGE_REQUEST',
  'APPLY_CHANGE_REQUEST',
  'SKIP_CHANGE_REQUEST',
]

const rules: readonly ApprovalRule[] = [
  { name: 'payments', approvals: 1, from: { groups: ['payments'] } },
  { name: 'archives', when: { features: ['sea*'], actions: ['deleteStrategy'] }, approvals: 2 },
  { name: 'segments', when: { segments: true }, approvals: 1, from: { users: [3] } },
  { name: 'tagged', when: { tags: [{ type: 'team', value: 'core' }] }, approvals: 1, from: { groups: ['core'] } },
  { name: 'switches', when: { fields: [{ path: '/enabled' }, { path: '/disabled' }] }, approvals: { aboveMinimum: 1 } },
  { name: 'on trial', mode: 'trial', approvals: 10 },
]

const ci: Check = { name: 'ci' }
const lint: Check = { name: 'lint', required: false }
const pii: Check = { name: 'pii', when: { tags: [{ type: 'team', value: 'core' }] } }

const hoursAgo = '2026-03-04T09:00:00.000Z'

const person = (id: number) => ({ id, username: `user-${id}`, imageUrl: null })

const changes: readonly NewChange[] = [
  { action: 'updateEnabled', feature: 'checkout', payload: { enabled: true } },
  { action: 'updateStrategy', feature: 'checkout', payload: { id: 's1', disabled: true } },
  { action: 'deleteStrategy', feature: 'search', payload: { id: 's2' } },
  { action: 'updateSegment', feature: null, payload: { id: 4, name: 'beta', constraints: [] } },
]

/** How often each part of a situation allows a step: mostly, so that many steps succeed. */
const mostly = fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) })
const rarely = mostly.map((yes) => !yes)

/** Everything that the rules of the steps depend on: a change request, a caller, settings and flags. */
export const situations = fc.record({
  state: fc.constantFrom(...states),
  changes: fc.array(fc.record({ change: fc.constantFrom(...changes), by: fc.constantFrom(1, 1, 1, 2) }), {
    maxLength: 4,
  }),
  minApprovals: fc.integer({ min: 1, max: 3 }),
  /** Who voted, whether on the current content, and whether hours ago. */
  votes: fc.uniqueArray(
    fc.record({
      by: fc.constantFrom(2, 3, 4),
      present: mostly,
      old: rarely,
      groups: fc.subarray(['payments', 'core']),
    }),
    { selector: ({ by }) => by },
  ),
  /** Who objects, and whether to the current content. */
  objections: fc.uniqueArray(fc.record({ by: fc.constantFrom(1, 2, 3, 4), outdated: rarely }), {
    selector: ({ by }) => by,
    maxLength: 2,
  }),
  objected: rarely,
  applying: rarely,
  /** The apply attempt was interrupted, and the result that the gateway reports. */
  overdue: fc.boolean(),
  carriedOut: fc.boolean(),
  caller: fc.constantFrom(1, 2, 3, 4, null),
  held: fc.record(Object.fromEntries(permissions.map((name) => [name, mostly]))),
  admin: rarely,
  gateway: mostly,
  /** The gateway cannot read the flags. */
  failing: rarely,
  recordOnly: fc.boolean(),
  /** The operations for which the validator of the host rejects the changes. */
  invalid: fc.constantFrom<readonly string[]>([], [], [], ['submit'], ['apply'], ['propose']),
  /** It rejects them by throwing. */
  throws: fc.boolean(),
  adminSelfApproval: fc.boolean(),
  requireRevision: fc.boolean(),
  rules: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.subarray([...rules])),
  checks: fc.oneof({ weight: 2, arbitrary: fc.constant<Check[]>([]) }, fc.subarray<Check>([ci, lint, pii])),
  /** The last report of each check, and whether it is for the current content. */
  reports: fc.record({ status: fc.constantFrom('passed', 'passed', 'failed', 'pending'), present: mostly }),
  /** Approvals of hours ago have expired; those of noon have not, also when a schedule is due. */
  expires: fc.boolean(),
  /** The users who can approve, if the router checks that again. */
  reviewers: fc.option(fc.subarray([2, 3, 4], { minLength: 1 }), { freq: 2 }),
  callerGroups: fc.subarray(['payments', 'core']),
  emergency: mostly,
  /** The user who applied it in an emergency, and whether another user has acknowledged it. */
  applied: fc.option(fc.record({ by: fc.constantFrom(2, 3, 4), seen: rarely }), { freq: 4 }),
  /** A user preset the schedule, for the moment of the approval. */
  preset: fc.boolean(),
  schedule: fc.constantFrom('off', 'here', 'elsewhere', 'elsewhere'),
  /** The previous state of the flags is stored with the applied changes. */
  remembered: mostly,
  enabled: fc.boolean(),
  tags: fc.subarray(['core']),
  strategies: fc.subarray(['s1', 's2']),
  disabled: fc.boolean(),
  steps: fc.shuffledSubarray([...stepNames], { minLength: 3, maxLength: 3 }),
})

export type Situation = typeof situations extends fc.Arbitrary<infer Value> ? Value : never

/** The flags of the situation. */
export function flagsOf({ gateway, carriedOut, enabled, tags, strategies, disabled }: Situation): HostFlags | null {
  if (!gateway) return null
  const flags = new HostFlags()
  if (carriedOut) flags.outcome = async () => []
  flags.enabled = enabled
  flags.tags = tags.map((value) => ({ type: 'team', value }))
  flags.strategies = strategies.map((id) => ({ id, name: 'default', disabled }))
  return flags
}

function reportsOf({ checks, reports: { status, present } }: Situation, digest: string): Partial<ChangeRequest> {
  if (checks.length === 0) return {}
  const report = { status, digest: present ? digest : digestOf({ changes: [] }), by: person(9), at: hoursAgo } as const
  return { checkReports: checks.map(({ name }) => ({ name, ...report })) }
}

/** The change request of the situation, of Ann (1) in a separate environment. */
export async function changeRequestOf(situation: Situation, id: number): Promise<ChangeRequest> {
  const { state, minApprovals, votes, applying, overdue, caller, applied } = situation
  const own = situation.changes.map(({ change, by }, index) => ({
    ...change,
    id: id * 10 + index,
    createdBy: person(by),
    createdAt: noon,
  }))
  const base = changeRequest(id, { author: 1, state, minApprovals, environment: `env-${id}`, changes: own })
  const features = [...new Set(own.flatMap(({ feature }) => feature ?? []))]
  const subjects = { project: base.project, environment: base.environment, features, segments: [4] }
  const flags = await flagsOf(situation)?.current(subjects)
  const present = previewOf(base, flags).digest
  const canObject = (['In review', 'Approved', 'Scheduled'] as readonly State[]).includes(state)
  const objections = (situation.objected && canObject ? situation.objections : []).map(
    ({ by, outdated }, index): Objection => ({
      ...{ id: index + 1, by: person(by), at: noon, text: 'Not yet.' },
      ...(outdated && { outdated }),
    }),
  )
  const given = votes.filter((vote) => !objections.some(({ by }) => by.id === vote.by))
  const approvals = given.map(
    (vote): Vote => ({
      createdBy: person(vote.by),
      createdAt: vote.old ? hoursAgo : noon,
      digest: vote.present ? present : digestOf({ changes: [] }),
      groups: vote.groups,
    }),
  )
  const by = { person: person(caller ?? 3), signature: 'someone', ip: null }
  const isApplying = applying && (['Approved', 'Scheduled'] as readonly State[]).includes(state)
  const emergency: Emergency | null = applied && {
    reason: 'It cannot wait.',
    missing: [],
    appliedBy: person(applied.by),
    acknowledgement: applied.seen ? { createdBy: person(4), createdAt: noon } : null,
  }
  const isBefore = (['In review', 'Approved'] as readonly State[]).includes(state)
  const presetSchedule = { scheduledAt: null, by, at: hoursAgo, expiresAt: '2099-01-01T00:00:00.000Z' }
  return {
    ...(situation.preset && isBefore && { presetSchedule }),
    ...(state === 'Applied' && situation.remembered ? withTraces(withSnapshots(base, flags), flags, []) : base),
    ...(state === 'Applied' && emergency ? { emergency } : {}),
    approvals,
    ...reportsOf(situation, present),
    ...(objections.length > 0 && { objections }),
    schedule: state === 'Scheduled' ? { scheduledAt: noon, status: 'pending', reason: null } : null,
    ...(isApplying
      ? { applying: { applyId: `apply-${id}`, startedAt: overdue ? hoursAgo : noon, digest: present, by } }
      : {}),
  }
}
