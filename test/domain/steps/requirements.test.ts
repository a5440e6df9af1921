import type { PlacedRule } from '../../../src/domain/approval/approval-rule'
import type { Vote } from '../../../src/domain/change-request'
import { approve } from '../../../src/domain/decisions/review'
import { wellFormedCall } from '../../../src/domain/steps/facts'
import { type Candidate, isApproved, requirementsOf } from '../../../src/domain/steps/requirements'
import { missingFor } from '../../../src/domain/steps/steps'
import { change, changeRequest, digest, facts, type Name, personOf, step, vote } from '../support/change-requests'

const payments: PlacedRule = {
  environment: 'production',
  name: 'payments owners',
  approvals: 1,
  from: { groups: ['payments'] },
}
const cleoAlone: PlacedRule = { environment: 'production', name: 'Cleo', approvals: 1, from: { users: [3] } }
const in_ = (name: Name, ...groups: string[]): Vote => ({ ...vote(name), groups })
const approvalFacts = (...rules: readonly PlacedRule[]) => ({ digest, rules, approvers: undefined, expiry: undefined })
const given = (approvals: readonly Vote[], ...rules: readonly PlacedRule[]) =>
  requirementsOf(changeRequest({ approvals }), approvalFacts(...rules)).map((one) => one.given)

describe('requirementsOf(changeRequest, facts)', () => {
  it('lists the minimum first, and then each rule with its approvers', () => {
    const approvals = [in_('ben', 'payments'), vote('cleo')]
    expect(requirementsOf(changeRequest({ approvals }), approvalFacts(payments))).toEqual([
      {
        name: 'minimum',
        environment: null,
        mode: 'enforce',
        because: [],
        approvals: 2,
        given: 2,
        from: null,
        approvedBy: [personOf('ben'), personOf('cleo')],
        satisfiable: null,
      },
      {
        name: 'payments owners',
        environment: 'production',
        mode: 'enforce',
        because: [],
        approvals: 1,
        given: 1,
        from: { groups: ['payments'], users: [] },
        approvedBy: [personOf('ben')],
        satisfiable: null,
      },
    ])
  })

  it('counts groups of the voter at the vote, and users that the rule names', () => {
    expect(given([in_('ben', 'payments', 'search')], payments, cleoAlone)).toEqual([1, 1, 0])
    expect(given([in_('ben', 'search'), vote('cleo')], payments, cleoAlone)).toEqual([2, 0, 1])
    const either: PlacedRule = {
      environment: 'production',
      name: 'either',
      approvals: 2,
      from: { groups: ['payments'], users: [3] },
    }
    expect(given([in_('ben', 'payments'), vote('cleo'), vote('dora')], either)).toEqual([3, 2])
  })

  it('counts one vote for several rules, and every user for a rule that names none', () => {
    const any: PlacedRule = { environment: 'production', name: 'any', approvals: 3 }
    expect(given([in_('cleo', 'payments')], payments, cleoAlone, any)).toEqual([1, 1, 1, 1])
  })

  it('counts no vote for other content', () => {
    expect(given([{ ...in_('ben', 'payments'), digest: 'sha256:other' }], payments)).toEqual([0, 0])
  })

  it('counts no author or editor for a rule, even with adminSelfApproval', () => {
    const own = changeRequest({ changes: [change(1, { createdBy: personOf('dora') })] })
    const approvals = [in_('ann', 'payments'), in_('dora', 'payments')]
    const found = requirementsOf({ ...own, approvals }, approvalFacts(payments))
    expect(found.map((one) => one.given)).toEqual([2, 0])
  })

  it('counts only the approvals of users who can still approve, with recheckApprovers', () => {
    const approvals = [in_('ben', 'payments'), vote('cleo')]
    const approvers = new Set([3])
    const found = requirementsOf(changeRequest({ approvals }), { ...approvalFacts(payments), approvers })
    expect(found.map((one) => one.given)).toEqual([1, 0])
  })
})

describe('satisfiable', () => {
  const owner = (id: number, groups?: readonly string[]): Candidate => ({ id, ...(groups && { groups }) })
  const two: PlacedRule = { ...payments, approvals: 2 }

  it.each<[string, readonly Candidate[], boolean | null]>([
    ['enough people are in the group', [owner(2, ['payments']), owner(3, ['payments'])], true],
    ['too few are', [owner(2, ['payments']), owner(3, [])], false],
    ['the author is one of them', [owner(1, ['payments']), owner(2, ['payments'])], false],
    ['the groups of a user are unknown', [owner(2, ['payments']), owner(3)], null],
  ])('of a rule: %s', (_, candidates, expected) => {
    const [, rule] = requirementsOf(changeRequest(), approvalFacts(two), candidates)
    expect(rule?.satisfiable).toBe(expected)
  })

  it('of a rule: given approvals count, independent of who can approve now', () => {
    const current = changeRequest({ approvals: [in_('ben', 'payments')] })
    const [, rule] = requirementsOf(current, approvalFacts(two), [owner(3, ['payments'])])
    expect(rule?.satisfiable).toBe(true)
  })

  it('of the minimum: enough other users can approve', () => {
    const of = (...ids: number[]) =>
      requirementsOf(
        changeRequest(),
        approvalFacts(),
        ids.map((id) => owner(id)),
      )[0]?.satisfiable
    expect([of(1, 2, 3), of(2, 3)]).toEqual([true, true])
  })
})

describe('approving with rules', () => {
  const as = (name: Name, rules: readonly PlacedRule[], groups: readonly string[] = []) => {
    const command = step(name)
    return { ...command, by: { ...command.by, groups }, facts: { ...facts(name), rules } }
  }
  const half = changeRequest({ approvals: [vote('ben')] })

  it('keeps the groups of the voter with the vote, and nothing for none', () => {
    const { approvals } = approve(half, as('cleo', [], ['payments'])).changeRequest
    expect(approvals.map(({ groups }) => groups)).toEqual([undefined, ['payments']])
  })

  it('leads to Approved only with the minimum and all rules', () => {
    const short = approve(half, as('cleo', [payments]))
    expect([short.changeRequest.state, short.events.map(({ type }) => type)]).toEqual([
      'In review',
      ['change-request-approval-added'],
    ])
    const enough = approve(short.changeRequest, as('dora', [payments], ['payments']))
    expect([enough.changeRequest.state, enough.events.map(({ type }) => type)]).toEqual([
      'Approved',
      ['change-request-approval-added', 'change-request-approved'],
    ])
  })

  it('is possible for an Approved one while a rule is not met, without a second event of its approval', () => {
    const approved = changeRequest({ state: 'Approved', approvals: [vote('ben'), vote('cleo')] })
    expect(missingFor('approve', approved, facts('dora'), wellFormedCall).map(({ code }) => code)).toEqual([
      'wrong-state',
    ])
    const { changeRequest: again, events } = approve(approved, as('dora', [payments], ['payments']))
    expect([again.state, events.map(({ type }) => type)]).toEqual(['Approved', ['change-request-approval-added']])
    expect(isApproved(again, approvalFacts(payments))).toBe(true)
  })

  it('is possible again for users who have already approved, if all rules are met because one was removed', () => {
    const left = changeRequest({ approvals: [vote('ben'), vote('cleo')] })
    const { changeRequest: approved, events } = approve(left, as('ben', []))
    expect([approved.state, approved.approvals.length, events.length]).toEqual(['Approved', 2, 2])
    const again = missingFor('approve', left, { ...facts('ben'), rules: [payments] }, wellFormedCall)
    expect(again.map(({ code }) => code)).toEqual(['already-voted'])
  })
})

describe('an apply with rules', () => {
  const approved = changeRequest({ state: 'Approved', approvals: [vote('ben'), vote('cleo')] })
  const missing = (rules: readonly PlacedRule[]) =>
    missingFor('apply', approved, { ...facts('ann'), rules }, wellFormedCall).map(
      ({ code, message }) => `${code}: ${message}`,
    )

  it('is missing approvals for each unmet rule, by its name', () => {
    const mixed: PlacedRule = {
      environment: 'production',
      name: 'mixed',
      approvals: 2,
      from: { groups: ['a\\b', 'c'], users: [7, 8] },
    }
    expect(
      missing([payments, cleoAlone, mixed, { environment: 'production', name: 'all "owners"', approvals: 3 }]),
    ).toEqual([
      'missing-approvals: The approval rule "payments owners" has 0 of 1 approvals from members of "payments".',
      'missing-approvals: The approval rule "mixed" has 0 of 2 approvals from members of "a\\b" or "c" or the users 7, 8.',
      'missing-approvals: The approval rule "all "owners"" has 2 of 3 approvals.',
    ])
  })

  it('reports that a user who approved can no longer approve', () => {
    const found = missingFor('apply', approved, { ...facts('ann'), approvers: new Set([3]) }, wellFormedCall)
    expect(found.map(({ message }) => message)).toEqual([
      'The change request has 1 of 2 approvals from users who can still approve.',
    ])
  })
})
