import type { ChangeRequest } from '../../../src/domain/change-request'
import type { State } from '../../../src/domain/lifecycle'
import { codeTable } from '../../../src/domain/steps/codes'
import { foreignSegment, listForeignSegments } from '../../../src/domain/steps/content-rules'
import { type StepPermission, wellFormedCall } from '../../../src/domain/steps/facts'
import {
  allMissingFor,
  dependsOnContent,
  missingFor,
  needsOf,
  requireRevision,
  type Step,
  stepError,
  stepReviewer,
} from '../../../src/domain/steps/steps'
import { ChangeRequestError } from '../../../src/errors'
import { states, stepCodes, stepNames } from '../../../src/generated/lists'
import {
  by,
  change,
  changeRequest,
  facts,
  flags,
  type GatheredFacts,
  type Name,
  nobody,
  noon,
  permissions,
  personOf,
  refusalOf,
  vote,
} from '../support/change-requests'

const both = [vote('ben'), vote('cleo')]

const codesOf = (step: Step, current: ChangeRequest, given: GatheredFacts) =>
  missingFor(step, current, given, wellFormedCall)
    .map(({ code }) => String(code))
    .join(' ') || 'ok'

/** Row: a step. Columns: the missing requirements in each state, for a user with all permissions. One of two approvals in review. */
const table = `
                   | Draft           | In review | Approved | Scheduled | Applied | Cancelled | Rejected
  edit             | ok | ok | ok | wrong-state | wrong-state | wrong-state | wrong-state
  submit           | ok | wrong-state | wrong-state | wrong-state | wrong-state | wrong-state | wrong-state
  approve          | wrong-state | ok | wrong-state | wrong-state | wrong-state | wrong-state | wrong-state
  reject           | wrong-state | ok | wrong-state | ok | wrong-state | wrong-state | wrong-state
  object           | wrong-state | ok | ok | ok | wrong-state | wrong-state | wrong-state
  liftObjection    | wrong-state | wrong-state | wrong-state | wrong-state | wrong-state | wrong-state | wrong-state
  dismissObjection | wrong-state | wrong-state | wrong-state | wrong-state | wrong-state | wrong-state | wrong-state
  takeBackApproval | wrong-state | ok | ok | ok | wrong-state | wrong-state | wrong-state
  cancel           | ok | ok | ok | wrong-state | wrong-state | wrong-state | wrong-state
  discard          | ok | wrong-state | wrong-state | wrong-state | wrong-state | wrong-state | wrong-state
  schedule         | wrong-state missing-approvals | missing-approvals | ok | ok | wrong-state | wrong-state | wrong-state
  presetSchedule    | wrong-state | ok | ok | wrong-state | wrong-state | wrong-state | wrong-state
  withdrawPresetSchedule | wrong-state | ok | ok | wrong-state | wrong-state | wrong-state | wrong-state
  apply            | wrong-state missing-approvals | missing-approvals | ok | ok | wrong-state | wrong-state | wrong-state
  applyInEmergency | ok | ok | ok | ok | wrong-state | wrong-state | wrong-state
  settle           | wrong-state | wrong-state | wrong-state | wrong-state | wrong-state | wrong-state | wrong-state
  acknowledge      | wrong-state | wrong-state | wrong-state | wrong-state | wrong-state | wrong-state | wrong-state
  rebase           | ok | ok | ok | ok | wrong-state | wrong-state | wrong-state
  revert           | wrong-state | wrong-state | wrong-state | ok | ok | wrong-state | wrong-state
  copy             | wrong-state | wrong-state | wrong-state | wrong-state | ok | ok | ok
`
const [[, ...columns] = [], ...rows] = table
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
const cells = rows.flatMap(([step, ...row]) =>
  row.map((missing, index) => ({ step: step as Step, state: columns[index] as State, missing })),
)
const takers: { readonly [step in Step]?: Name } = {
  ...{ approve: 'dora', reject: 'dora', acknowledge: 'dora', dismissObjection: 'dora', takeBackApproval: 'ben' },
}
const approvalsIn = (state: State) => (state === 'Draft' ? [] : state === 'In review' ? [vote('ben')] : both)

describe('what a step is missing', () => {
  it.each(cells)('$step while it is $state: $missing', ({ step, state, missing }) => {
    const who: Name = takers[step] ?? 'ann'
    const given = facts(who, { scheduler: true, presetsSchedules: true, emergency: true })
    expect(codesOf(step, changeRequest({ state, approvals: approvalsIn(state) }), given)).toBe(missing)
  })

  it('is listed for every step and state', () => {
    expect(rows.map(([step]) => step)).toEqual(stepNames)
    expect(columns).toEqual(states)
  })

  it.each(stepNames)('%s: both are reported for a key without a user id and without permissions', (step) => {
    const codes = codesOf(step, changeRequest(), nobody)
    expect(codes).toBe(
      step === 'applyInEmergency'
        ? 'missing-permission missing-permission no-user-id'
        : 'missing-permission no-user-id',
    )
  })

  it('contains only the missing requirements of the first stage that fails', () => {
    const current = changeRequest({ createdBy: personOf('cleo'), changes: [] })
    const without = { ...facts('ben'), ...permissions({ CREATE_CHANGE_REQUEST: false }) }
    expect(codesOf('submit', current, without)).toBe('missing-permission not-the-author')
    expect(codesOf('submit', { ...current, state: 'Approved' }, facts('cleo'))).toBe('wrong-state no-changes')
    const call = { ...wellFormedCall, excess: 'too long' }
    expect(missingFor('edit', current, facts('cleo'), call)).toEqual([{ code: 'limit-exceeded', message: 'too long' }])
  })

  it('is checked for the caller, the revision, the input and the state, in this order', () => {
    const approved = changeRequest({ state: 'Approved', approvals: both })
    const { revision, ...others } = facts('ann')
    const mended: readonly (readonly [string, Partial<GatheredFacts>])[] = [
      ['missing-permission', { APPLY_CHANGE_REQUEST: true }],
      ['outdated-revision', { revision }],
      ['invalid', { invalidOnApply: [] }],
      ['conflict', { conflicts: [] }],
    ]
    let given: GatheredFacts = {
      ...others,
      ...permissions({ APPLY_CHANGE_REQUEST: false }),
      revision: { ...revision, matches: false },
      invalidOnApply: [{ code: 'invalid', message: 'Not on a Friday.' }],
      conflicts: ['checkout: Feature has been archived'],
    }
    const all = mended.map(([code]) => code)
    expect(allMissingFor('apply', approved, given, wellFormedCall).map(({ code }) => code)).toEqual(all)
    for (const [code, better] of mended) {
      expect(codesOf('apply', approved, given)).toBe(code)
      given = { ...given, ...better }
    }
    expect(codesOf('apply', approved, given)).toBe('ok')
  })

  it('of a revert: that change requests are disabled there, but only if it is applied or scheduled', () => {
    const given = { ...facts('ann'), enabled: false }
    expect(codesOf('revert', changeRequest({ state: 'Applied' }), given)).toBe('change-requests-disabled')
    expect(codesOf('revert', changeRequest({ state: 'Approved' }), given)).toBe('wrong-state')
  })

  const operator = 'an operator of this server can end it with the command "express-change-requests settle".'
  it.each([
    { who: 'ben', person: personOf('ben'), end: operator },
    { who: 'a user', person: { ...personOf('ben'), username: null }, end: operator },
    { who: 'ben', person: personOf('ben'), knowsOutcome: true, end: 'its result is looked up automatically.' },
  ])(
    'of one that is being applied: it names the time, $who and what happens next: $end',
    ({ who, person, knowsOutcome = false, end }) => {
      const applying = { applyId: 'a', startedAt: noon, digest: 'sha256:0', by: { ...by('ben').author, person } }
      const busy = changeRequest({ state: 'Approved', approvals: both, applying })
      const [first, ...others] = missingFor('apply', busy, facts('ann', { knowsOutcome }), wellFormedCall)
      expect([first, others]).toEqual([
        {
          code: 'being-applied',
          message:
            `The change request is being applied (started at ${noon} by ${who}). Try again in a moment. If the apply was ` +
            `interrupted, ${end}`,
        },
        [],
      ])
      expect(first && stepError(first).retryAfter).toBe(1)
    },
  )
})

describe('title and requested approvers', () => {
  it.each([
    ['author', [], 'missing-permission not-the-author'],
    ['author', ['CREATE_CHANGE_REQUEST'], 'not-the-author'],
    ['author', ['CREATE_CHANGE_REQUEST', 'ADMIN'], 'ok'],
    ['anyone', ['CREATE_CHANGE_REQUEST'], 'ok'],
    ['anyone', ['APPROVE_CHANGE_REQUEST'], 'ok'],
    ['anyone', [], 'missing-permission'],
  ] as const)('for %s, of another user with %j: %s', (whom, held, missing) => {
    const holds = (permission: StepPermission) => (held as readonly StepPermission[]).includes(permission)
    const detailsByAnyone = whom === 'anyone'
    const given = {
      ...facts('ben', { detailsByAnyone }),
      CREATE_CHANGE_REQUEST: holds('CREATE_CHANGE_REQUEST'),
      editsDetails: holds(detailsByAnyone ? 'APPROVE_CHANGE_REQUEST' : 'ADMIN'),
    }
    expect(codesOf('rename', changeRequest(), given)).toBe(missing)
    expect(codesOf('requestApprovers', changeRequest(), given)).toBe(missing)
  })
})

describe('needsOf(step, ...stages)', () => {
  it('lists the gathered facts, each once', () => {
    expect(needsOf('cancel', 'caller')).toEqual(['CREATE_CHANGE_REQUEST', 'userId', 'ADMIN'])
    expect(needsOf('rename', 'caller')).toEqual(['userId', 'options', 'CREATE_CHANGE_REQUEST', 'editsDetails'])
    expect(needsOf('schedule', 'state', 'decision')).toEqual([
      ...['options', 'digest', 'rules', 'approvers', 'expiry', 'at', 'conflicts', 'overwrites', 'freezes', 'waits'],
      ...['predecessor', 'follows', 'flags', 'targets'],
    ])
  })
})

describe('the error of a step', () => {
  it('has the name and the message of the first, and all in its details', () => {
    const missing = missingFor('submit', changeRequest({ createdBy: personOf('cleo') }), nobody, wellFormedCall)
    const [first, ...others] = missing
    const error = first && stepError(first, ...others)
    expect(ChangeRequestError.is(error)).toBe(true)
    expect(error).toMatchObject({
      name: 'PermissionError',
      message: 'You need the permission CREATE_CHANGE_REQUEST in project shop and environment production.',
      permissions: ['CREATE_CHANGE_REQUEST'],
      details: missing.map(({ code, message }) => ({ code, message })),
    })
  })

  it.each(stepCodes)('%s has a name and a stage', (code) => {
    const { error, stage } = codeTable[code]
    const expected = {
      ...{ PermissionError: 'caller', OperationDeniedError: 'caller' },
      ...{
        PreconditionFailedError: 'revision',
        PreconditionRequiredError: 'revision',
        ConflictError: 'state',
        UnavailableError: 'state',
      },
    } as const
    expect(stage).toBe(expected[error as keyof typeof expected] ?? 'input')
  })
})

describe('a step', () => {
  const offered = (step: Step, current: ChangeRequest, given = facts('dora')) =>
    stepReviewer(current, { ...given, ...wellFormedCall })(step).offered

  it('is offered if people can resolve what is missing for it', () => {
    expect(offered('apply', changeRequest())).toBe(true)
    expect(offered('apply', changeRequest({ state: 'Rejected' }))).toBe(false)
    expect(offered('apply', changeRequest(), facts('dora', { canApply: false }))).toBe(false)
  })

  it('shares the findings of its rules with the other reviewed steps', () => {
    let reads = 0
    const current: ChangeRequest = {
      ...changeRequest(),
      get applying() {
        reads += 1
        return null
      },
    }
    const review = stepReviewer<Step>(current, { ...facts('dora'), ...wellFormedCall })
    for (const step of ['comment', 'rename', 'cancel'] as const) review(step)
    expect(reads).toBe(1)
  })

  it('depends on the changes if one of its facts does', () => {
    expect((['comment', 'rename', 'cancel', 'approve', 'edit'] as const).map(dependsOnContent)).toEqual([
      false,
      false,
      true,
      true,
      true,
    ])
  })

  it.each([
    [{}, {}, undefined],
    [{ matches: false }, {}, 'PreconditionFailedError: The change request no longer has the revision in If-Match'],
    [{ matches: false, exists: false }, {}, 'PreconditionFailedError: If-Match needs an open change request'],
    [
      { forbidden: '/7' },
      {},
      'PreconditionFailedError: The changes would be added to your change request 7 (In review), but',
    ],
    [{ isSeen: false }, {}, 'PreconditionFailedError: The content to be applied has changed since you read it'],
    [{ isStated: false }, {}, undefined],
    [
      { isStated: false },
      { requireRevision: true },
      'PreconditionRequiredError: Send `digest` or an `If-Match` header',
    ],
    [{ missesPreset: true }, {}, 'PreconditionFailedError: The change request has a preset schedule'],
  ])('requires the revision: %j, %j', (more, options, expected) => {
    const given = facts('ben', options)
    const check = () =>
      requireRevision('approve', changeRequest(), { ...given, revision: { ...given.revision, ...more } })
    expect(refusalOf(check)?.slice(0, expected?.length)).toBe(expected)
  })
})

describe('a segment of another project', () => {
  const on = (project?: string | null) =>
    flags({}, { segments: new Map([[4, { name: 'beta', ...(project !== undefined && { project }) }]]) })
  const edit = (payload: object, action: 'updateSegment' | 'deleteSegment' = 'updateSegment') =>
    change(1, { action, feature: null, payload: { id: 4, ...payload } })

  it.each([
    ['is changed', edit({}), on('blog'), 'id'],
    ['of all projects is changed', edit({}, 'deleteSegment'), on(null), 'id'],
    ['is where the change moves it', edit({ project: 'blog' }), on('shop'), 'project'],
    [
      'is where the change moves it, if it is deleted',
      edit({ project: 'blog' }, 'deleteSegment'),
      on('shop'),
      undefined,
    ],
    ['is not where the change leaves it', edit({ project: 'shop' }), on('shop'), undefined],
    ['is not the own one', edit({}), on('shop'), undefined],
    ['is unknown', edit({ project: 'blog' }), on(), undefined],
    ['is unknown without a gateway', edit({}), undefined, undefined],
    ['is not meant by a change of a flag', change(1, { payload: { id: 4 } as never }), on('blog'), undefined],
  ])('%s', (_, edited, state, property) => {
    expect(foreignSegment(edited, 'shop', state)?.property).toBe(property)
    const listed = listForeignSegments(changeRequest({ changes: [edited] }), state)
    expect(listed.map(({ code }) => code)).toEqual(property === undefined ? [] : ['invalid'])
  })

  it('is named with what the change must not do', () => {
    const messages = [edit({}), edit({ project: 'blog' })].map(
      (one, index) => foreignSegment(one, 'shop', on(index === 0 ? 'blog' : 'shop'))?.message,
    )
    const [listed] = listForeignSegments(changeRequest({ changes: [edit({})] }), on('blog'))
    expect(listed?.message).toBe(`Editing the segment 4: ${messages[0]}`)
    expect(messages).toEqual([
      'Segment 4 is not limited to the project shop, so a change request of this project cannot change it.',
      'Segment 4 is limited to the project shop, so a change request of this project cannot change its project.',
    ])
  })
})
