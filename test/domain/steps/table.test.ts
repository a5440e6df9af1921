import type { PlacedRule } from '../../../src/domain/approval/approval-rule'
import type { ChangeRequest } from '../../../src/domain/change-request'
import { codeTable, type Missing, stages } from '../../../src/domain/steps/codes'
import { type Fact, type Facts, type StepOptions, stepOptionNames } from '../../../src/domain/steps/facts'
import { findingsOf, type Rule } from '../../../src/domain/steps/rule'
import { rulesAt } from '../../../src/domain/steps/steps'
import { type Step, stepTable } from '../../../src/domain/steps/table'
import { ChangeRequestError } from '../../../src/errors'
import { states, stepCodes } from '../../../src/generated/lists'
import { by, change, changeRequest, commentOf, digest, facts, noon, personOf, vote } from '../support/change-requests'

const { flags, targets } = facts('ann')
const invalid: readonly Missing[] = [{ code: 'invalid', message: 'Not on a Friday.' }]
const rejected = new ChangeRequestError('BadDataError', 'Not at all.')
const reverted = { changes: [change(1)], irreversible: [], invalid: [], excess: undefined }
const rules: readonly PlacedRule[] = [{ environment: 'production', name: 'Cleo', approvals: 1, from: { users: [3] } }]
const both = [true, false] as const
const elsewhere = [[], ['staging', undefined]] as const
const all = (value: boolean) => Object.fromEntries(stepOptionNames.map((name) => [name, value])) as StepOptions

/** For each fact: values that satisfy its rules, and values that do not. */
const samples: { readonly [fact in Fact]: readonly Facts[fact][] } = {
  READ_CHANGE_REQUEST: both,
  CREATE_CHANGE_REQUEST: both,
  APPROVE_CHANGE_REQUEST: both,
  APPLY_CHANGE_REQUEST: both,
  SKIP_CHANGE_REQUEST: both,
  ADMIN: both,
  'APPROVE_CHANGE_REQUEST elsewhere': elsewhere,
  'APPLY_CHANGE_REQUEST elsewhere': elsewhere,
  'SKIP_CHANGE_REQUEST elsewhere': elsewhere,
  editsDetails: both,
  userId: [1, 2, null],
  commentId: [undefined, 1, 2],
  callerKind: ['person', 'service', 'agent'],
  options: [all(true), all(false), ...stepOptionNames.map((name) => ({ ...all(false), [name]: true }))],
  revision: both.flatMap((matches) =>
    both.flatMap((exists) =>
      both.flatMap((isStated) =>
        both.flatMap((isSeen) =>
          both.flatMap((missesPreset) =>
            [undefined, '/7'].map((forbidden) => ({ matches, exists, isStated, missesPreset, isSeen, forbidden })),
          ),
        ),
      ),
    ),
  ),
  flags: [flags],
  digest: [digest, 'sha256:other'],
  votedChanges: [[]],
  rules: [[], rules],
  approvers: [undefined, new Set([3])],
  freezes: [[], [{ name: 'Sale', reason: 'Sales', environment: 'production', from: '2026-03-04T00:00:00.000Z' }]],
  expiry: [undefined, { afterMs: 60_000, at: noon }],
  preset: [undefined],
  targets: [targets],
  conflicts: [
    [],
    ['checkout: Feature has been archived', 'Deleting a strategy of checkout: Strategy has been deleted'],
  ],
  overwrites: [[], ['was 1, is 2 now']],
  foreignSegments: [[], invalid],
  proposal: [
    { rejected: undefined, invalid: [], flags },
    { rejected: undefined, invalid, flags },
    { rejected, invalid: [], flags },
  ],
  enabled: both,
  otherOpen: [undefined, 9],
  invalidOnSubmit: [[], invalid],
  invalidOnApply: [[], invalid],
  interrupted: both,
  possibleRevert: [undefined],
  revert: [
    ...[
      undefined,
      reverted,
      { ...reverted, invalid },
      { ...reverted, excess: 'too many' },
      { ...reverted, changes: [] },
    ],
    {
      ...reverted,
      irreversible: [{ id: 1, action: 'deleteSegment', feature: null, phrase: 'Deleting the segment 4' }],
    },
  ],
  revertOrigin: [{ flags, gatedMinimum: undefined }],
  copy: [
    undefined,
    { rejected: undefined, invalid: [], excess: undefined },
    { rejected: undefined, invalid, excess: undefined },
    { rejected, invalid: [], excess: undefined },
    { rejected: undefined, invalid: [], excess: 'too many' },
  ],
  copyOrigin: [{ flags, gatedMinimum: undefined }],
  gatedMinimum: [undefined],
  requiredApprovals: [1],
  reviewers: [[]],
  outdatedBases: [[], [{ code: 'outdated-base', message: 'Edited.' }]],
  excess: [undefined, 'too long'],
  undecided: [[], ['was 1, is 2 now']],
  leavesNone: both,
  partial: both,
  at: [noon, null, '2027-01-01T00:00:00.000Z'],
  waits: both,
}

const applying = { applyId: 'a', startedAt: noon, digest: 'sha256:0', by: by('ben').author }
const emergency = { reason: 'Payments fail.', missing: [], appliedBy: personOf('ben'), acknowledgement: null }
const acknowledgement = { createdBy: personOf('cleo'), createdAt: noon }
const kinds: readonly Partial<ChangeRequest>[] = [
  { approvals: [vote('ben'), vote('cleo')] },
  { approvals: [vote('ben'), vote('ann')] },
  { changes: [] },
  { comments: [commentOf(1, 'ben'), commentOf(2, 'ann')] },
  { changes: [change(1, { createdBy: personOf('ben') })] },
  { applying },
  { emergency },
  { emergency: { ...emergency, acknowledgement } },
]
const changeRequests = states.flatMap((state) => kinds.map((kind) => changeRequest({ state, ...kind })))

/** All combinations of the samples of these facts, without any other fact. */
function combine(needs: readonly Fact[]): readonly Facts[] {
  const combined = needs.reduce<object[]>(
    (before, fact) => before.flatMap((one) => samples[fact].map((value) => ({ ...one, [fact]: value }))),
    [{}],
  )
  return combined as unknown as Facts[]
}

const knownCodes = new Map<Rule, ReadonlySet<Missing['code']>>()

/** The codes that the rule returns for all change requests and facts. */
function codesOf(rule: Rule): ReadonlySet<Missing['code']> {
  const known = knownCodes.get(rule)
  if (known !== undefined) return known
  const given = combine([...new Set(rule.needs)])
  const found = changeRequests.flatMap((current) => given.flatMap((one) => findingsOf(rule, current, one)))
  const codes = new Set(found.map(({ code }) => code))
  knownCodes.set(rule, codes)
  return codes
}

const steps = Object.keys(stepTable) as Step[]
const cells = steps.flatMap((step) =>
  stages.flatMap((stage) => rulesAt(stage, step).map((rule, index) => ({ step, stage, index, rule }))),
)

describe('each rule of a step', () => {
  it.each(cells)('$step, $stage $index: returns only codes of its stage', ({ stage, rule }) => {
    const codes = [...codesOf(rule)]
    expect(codes.length).toBeGreaterThan(0)
    expect(codes.filter((code) => codeTable[code].stage !== stage)).toEqual([])
  })

  it('together they return every code', () => {
    const codes = new Set(cells.flatMap(({ rule }) => [...codesOf(rule)]))
    expect([...codes].toSorted()).toEqual(stepCodes.toSorted())
  })
})
