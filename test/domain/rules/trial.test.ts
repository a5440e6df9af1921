import type { PlacedRule } from '../../../src/domain/approval/approval-rule'
import type { RecordedCheck } from '../../../src/domain/change-request'
import { matchingChecks, unmetChecks } from '../../../src/domain/checks/check'
import { emergencyOf, traceOf } from '../../../src/domain/decisions/apply-trace'
import { effectOf, endOfHold, matchingFreezes, type PlacedFreeze } from '../../../src/domain/freezes/freeze'
import { wellFormedCall } from '../../../src/domain/steps/facts'
import { isApproved, requirementsOf, unmetRequirements } from '../../../src/domain/steps/requirements'
import { missingFor } from '../../../src/domain/steps/steps'
import { changeRequest, facts, later, noon, personOf, vote } from '../support/change-requests'

const approved = changeRequest({ state: 'Approved', minApprovals: 1, approvals: [vote('ben')] })
const owners: PlacedRule = { name: 'owners', environment: 'production', approvals: 2, mode: 'trial' }
const anyone: PlacedRule = { name: 'anyone', environment: 'production', approvals: 1, mode: 'trial' }
const sale: PlacedFreeze = { name: 'Sale', reason: 'Sales', environment: 'production', from: noon, mode: 'trial' }
const next: PlacedFreeze = { ...sale, name: 'Next', from: '2026-03-05T00:00:00.000Z' }
const [ci, lint]: RecordedCheck[] = [
  { name: 'ci', required: true, mode: 'trial' },
  { name: 'lint', required: false, mode: 'trial' },
]
const passed = { name: 'lint', status: 'passed', digest: facts('ben').digest, by: personOf('cleo'), at: noon } as const
const reported = { ...approved, checkReports: [passed] }

const trial = { rules: [owners, anyone], freezes: [sale, next], checks: [ci, lint] as RecordedCheck[] }
const given = { ...facts('cleo', { emergency: true }), ...wellFormedCall, ...trial, at: later }
const now = { at: later, waits: false }
const enforced = <One extends { readonly mode?: string }>({ mode: _, ...one }: One) => one

describe('a rule, a freeze or a check on trial', () => {
  it('blocks no apply, and would if it were enforced', () => {
    expect(missingFor('apply', reported, given, now)).toEqual([])
    const rules = trial.rules.map(enforced) as PlacedRule[]
    const freezes = trial.freezes.map(enforced) as PlacedFreeze[]
    const checks = trial.checks.map(enforced) as RecordedCheck[]
    expect(missingFor('apply', reported, { ...given, rules, freezes, checks }, now).map(({ code }) => code)).toEqual([
      'missing-approvals',
      'missing-check',
      'frozen',
    ])
  })

  it('is a requirement that is shown, of which nobody knows whether enough users could meet it', () => {
    expect(isApproved(approved, given)).toBe(true)
    expect(unmetRequirements(approved, given)).toEqual([])
    const candidates = [{ id: 9, groups: [] }]
    const shown = requirementsOf(approved, given, candidates).map(({ name, mode, approvals, given, satisfiable }) => {
      return [name, mode, approvals, given, satisfiable]
    })
    expect(shown).toEqual([
      ['minimum', 'enforce', 1, 1, true],
      ['owners', 'trial', 2, 1, null],
      ['anyone', 'trial', 1, 1, null],
    ])
  })

  it('holds and suspends nothing that is due', () => {
    expect(effectOf([sale, { ...sale, scheduled: 'suspend' }], later)).toBe(undefined)
    expect(endOfHold([{ ...sale, until: later }], { dueAt: noon, held: undefined }, later)).toBe(noon)
  })

  it('does not hide a freeze of the same name that another environment enforces', () => {
    const real: PlacedFreeze = { name: 'Sale', reason: 'Sales', environment: 'staging', from: noon }
    const found = matchingFreezes([sale, real], { features: ['checkout'], segments: [] })
    expect(effectOf(found, later)?.hold).toEqual({ by: 'Sale', until: null })
  })

  it('is not missing in an emergency', () => {
    expect(emergencyOf(approved, 'It cannot wait.', given, later)).toBe(undefined)
  })

  it('is recorded with an apply if it matches at that moment, and whether it was met', () => {
    const { trial: results, requirements, approvals } = traceOf(reported, { ...given, policyDigest: 'ab' }, later)
    expect(results).toEqual([
      { kind: 'rule', name: 'owners', met: false },
      { kind: 'rule', name: 'anyone', met: true },
      { kind: 'freeze', name: 'Sale', met: false },
      { kind: 'check', name: 'ci', met: false },
      { kind: 'check', name: 'lint', met: true },
    ])
    expect(requirements?.map(({ name }) => name)).toEqual(['minimum'])
    expect(approvals?.map(({ rules }) => rules)).toEqual([[]])
  })

  it('is recorded without the option applyTrace too, and for none there is no record', () => {
    expect(Object.keys(traceOf(approved, { ...given, policyDigest: undefined }, later))).toEqual(['checks', 'trial'])
    const none = { ...given, rules: [], freezes: [next], checks: [], policyDigest: undefined }
    expect(traceOf(approved, none, later)).toEqual({})
  })
})

describe('a check of several environments', () => {
  it.each([
    [[{ mode: 'trial' }, {}], { required: true }],
    [[{}, { mode: 'trial' }], { required: true }],
    [[{ mode: 'trial' }, { required: false }], { required: true, mode: 'trial' }],
    [[{ required: false }, { mode: 'trial' }], { required: true, mode: 'trial' }],
    [[{ required: false, mode: 'trial' }, { required: false }], { required: false, mode: 'trial' }],
  ] as const)('%j counts as that which blocks most', (all, expected) => {
    const found = matchingChecks(
      all.map((one) => ({ name: 'ci', ...one })),
      approved,
      undefined,
    )
    expect(found).toEqual([{ name: 'ci', ...expected }])
    const blocks = expected.required && !('mode' in expected)
    expect(unmetChecks(approved, { checks: found, digest: 'any' }).length === 1).toBe(blocks)
  })
})

describe('approvals above the minimum', () => {
  it.each([
    [1, 1, 2],
    [3, 2, 5],
    [10, 1, 10],
    [4, 9, 10],
  ])('of %d and %d more are %d', (minApprovals, aboveMinimum, expected) => {
    const rules: PlacedRule[] = [{ name: 'more', environment: 'production', approvals: { aboveMinimum } }]
    const current = changeRequest({ minApprovals })
    expect(requirementsOf(current, { ...given, rules }).map(({ approvals }) => approvals)).toEqual([
      minApprovals,
      expected,
    ])
  })
})
