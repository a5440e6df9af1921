import type { ChangeRequest, Emergency } from '../../../src/domain/change-request'
import { abandonApply, beginApply, completeApply } from '../../../src/domain/decisions/apply'
import { emergencyOf } from '../../../src/domain/decisions/apply-trace'
import { acknowledge, needsAcknowledgement } from '../../../src/domain/decisions/review'
import type { PlacedFreeze } from '../../../src/domain/freezes/freeze'
import { type StepPermission, stepPermissions, wellFormedCall } from '../../../src/domain/steps/facts'
import { missingFor } from '../../../src/domain/steps/steps'
import {
  change,
  changeRequest,
  facts,
  type GatheredFacts,
  later,
  type Name,
  noon,
  permissions,
  personOf,
  refusalOf,
  step,
  vote,
} from '../support/change-requests'

const reason = 'Payments fail since 10:40.'
const missing = [{ code: 'missing-approvals', name: 'minimum', approvals: 2, given: 1 }] as const
const half = changeRequest({ approvals: [vote('ben')] })
const enough = changeRequest({ state: 'Approved', approvals: [vote('ben'), vote('cleo')] })
const urgent = (name: Name) => ({ ...step(name), facts: facts(name, { emergency: true }) })
const emergency: Emergency = { reason, missing, appliedBy: personOf('ben'), acknowledgement: null }
const applied = changeRequest({ state: 'Applied', emergency })

describe('an apply in an emergency', () => {
  const holding = (held: StepPermission): Partial<GatheredFacts> =>
    permissions(Object.fromEntries(stepPermissions.map((permission) => [permission, permission === held])))

  it.each<[string, ChangeRequest, Partial<GatheredFacts>, string]>([
    ['something to apply', changeRequest({ state: 'Draft', changes: [] }), {}, 'no-changes'],
    ['the option', half, { options: facts('ann').options }, 'emergencies-disabled'],
    ['changes that fit the flags', half, { conflicts: ['checkout: Feature has been archived'] }, 'conflict'],
    ['SKIP_CHANGE_REQUEST', half, holding('APPLY_CHANGE_REQUEST'), 'missing-permission'],
    ['APPLY_CHANGE_REQUEST', half, holding('SKIP_CHANGE_REQUEST'), 'missing-permission'],
  ])('needs %s', (_, current, differing, code) => {
    const given = { ...facts('ann', { emergency: true }), ...differing }
    expect(missingFor('applyInEmergency', current, given, wellFormedCall).map((one) => one.code)).toEqual([code])
  })

  it('stores its reason and what was missing', () => {
    expect(emergencyOf(half, reason, urgent('ben').facts, later)).toEqual({ reason, missing })
    const rules = [{ environment: 'production', name: 'payments owners', approvals: 1, from: { groups: ['payments'] } }]
    expect(emergencyOf(enough, reason, { ...urgent('ben').facts, rules }, later)?.missing).toEqual([
      { code: 'missing-approvals', name: 'payments owners', approvals: 1, given: 0 },
    ])
  })

  it('stores the freezes in force, the latest end first', () => {
    const freeze = { name: 'Black Friday', reason: 'Sales', environment: 'production', from: noon }
    const until = '2026-03-05T00:00:00.000Z'
    const freezes: readonly PlacedFreeze[] = [
      { ...freeze, name: 'over', until: later },
      { ...freeze, until },
      { ...freeze, name: 'open' },
      { ...freeze, name: 'next', from: until },
    ]
    expect(emergencyOf(enough, reason, { ...urgent('ben').facts, freezes }, later)?.missing).toEqual([
      { code: 'frozen', name: 'open', until: null },
      { code: 'frozen', name: 'Black Friday', until },
    ])
  })

  it('is an ordinary one if nothing is missing', () => {
    expect(emergencyOf(enough, reason, urgent('ben').facts, later)).toBe(undefined)
    expect(emergencyOf(half, null, urgent('ben').facts, later)).toBe(undefined)
    const { changeRequest: done, events } = completeApply(enough, urgent('ben'), [], undefined)
    expect([done.emergency, events[0]?.data]).toEqual([undefined, { changeRequestId: 7 }])
  })

  it('is marked in its event, and needs acknowledgement', () => {
    const trace = { emergency: { reason, missing } }
    const { changeRequest: done, events } = completeApply(half, { ...urgent('ben'), trace }, [], undefined)
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      ['change-request-applied', { changeRequestId: 7, ...trace }],
    ])
    expect([done.emergency, needsAcknowledgement(done)]).toEqual([emergency, true])
  })

  it('is stored from its start, and removed if nothing was applied', () => {
    const command = { ...urgent('ben'), digest: 'sha256:0', trace: { emergency: { reason, missing } } }
    const { changeRequest: begun } = beginApply(half, 'apply-1', command)
    expect(begun.applying?.trace?.emergency).toEqual({ reason, missing })
    expect([begun.emergency, abandonApply(begun).changeRequest.emergency]).toEqual([undefined, undefined])
  })
})

describe('the acknowledgement', () => {
  it('closes it, with a comment, and is logged as an approval but does not count as one', () => {
    const { changeRequest: done, events } = acknowledge(applied, step('cleo', 'Fine'))
    expect(done.emergency).toEqual({ ...emergency, acknowledgement: { createdBy: personOf('cleo'), createdAt: later } })
    expect([needsAcknowledgement(done), done.approvals, done.comments.map(({ text }) => text)]).toEqual([
      false,
      [],
      ['Fine'],
    ])
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      ['change-request-approval-added', { changeRequestId: 7, afterReview: true }],
    ])
  })

  it.each([
    ['its author', applied, 'ann', 'own-change-request'],
    ['who applied it', applied, 'ben', 'own-change-request'],
    [
      'who changed it',
      { ...applied, changes: [change(1, { createdBy: personOf('cleo') })] },
      'cleo',
      'own-change-request',
    ],
    ['an admin who made it', { ...applied, createdBy: personOf('dora') }, 'dora', 'own-change-request'],
    ['of what was applied as usual', { ...applied, emergency: undefined as never }, 'cleo', 'wrong-state'],
  ] as const)('is rejected for %s', (_, current, who, code) => {
    const given = facts(who, { adminSelfApproval: true })
    expect(missingFor('acknowledge', current, given, wellFormedCall).map((one) => one.code)).toEqual([code])
  })

  it('is only possible once', () => {
    const { changeRequest: done } = acknowledge(applied, step('cleo'))
    expect(refusalOf(() => acknowledge(done, step('dora')))).toBe(
      'ConflictError: This emergency apply is already acknowledged.',
    )
  })
})
