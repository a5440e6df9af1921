import type { ChangeRequest } from '../../../src/domain/change-request'
import type { State } from '../../../src/domain/lifecycle'
import { codeTable } from '../../../src/domain/steps/codes'
import { noOptions, type StepFacts } from '../../../src/domain/steps/facts'
import { missingFor, permissionsFor, refusalFor, requireCaller, type Step } from '../../../src/domain/steps/steps'
import { ChangeRequestError } from '../../../src/errors'
import { states, stepCodes, stepNames } from '../../../src/generated/lists'
import { by, change, changeRequest, facts, type Name, noon, personOf, vote } from '../support/change-requests'

const both = [vote('ben'), vote('cleo')]
const nobody: StepFacts = { caller: { id: null, held: new Set() }, options: noOptions }

const codesOf = (step: Step, current: ChangeRequest, given: StepFacts) =>
  missingFor(step, current, given)
    .map(({ code }) => code)
    .join(' ') || 'ok'

/** Row: a step. Columns: what it misses in each state, for somebody who may take it. One of two approvals in review. */
const table = `
                   | Draft           | In review | Approved | Scheduled | Applied | Cancelled | Rejected
  edit             | ok              | ok        | ok       | state     | state   | state     | state
  submit           | ok              | state     | state    | state     | state   | state     | state
  approve          | state           | ok        | state    | state     | state   | state     | state
  reject           | state           | ok        | state    | ok        | state   | state     | state
  cancel           | ok              | ok        | ok       | state     | state   | state     | state
  discard          | ok              | state     | state    | state     | state   | state     | state
  schedule         | state approvals | approvals | ok       | ok        | state   | state     | state
  apply            | state approvals | approvals | ok       | ok        | state   | state     | state
  applyInEmergency | ok              | ok        | ok       | ok        | state   | state     | state
  settle           | state           | state     | state    | state     | state   | state     | state
  acknowledge      | state           | state     | state    | state     | state   | state     | state
  rebase           | ok              | ok        | ok       | ok        | state   | state     | state
  revert           | state           | state     | state    | state     | ok      | state     | state
`
const [[, ...columns] = [], ...rows] = table
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
const cells = rows.flatMap(([step, ...row]) =>
  row.map((missing, index) => ({ step: step as Step, state: columns[index] as State, missing })),
)
const approvalsIn = (state: State) => (state === 'Draft' ? [] : state === 'In review' ? [vote('ben')] : both)

describe('what a step is missing', () => {
  it.each(cells)('$step while it is $state: $missing', ({ step, state, missing }) => {
    const who: Name = ['approve', 'reject', 'acknowledge'].includes(step) ? 'dora' : 'ann'
    const given = facts(who, { scheduler: true, emergency: true })
    expect(codesOf(step, changeRequest({ state, approvals: approvalsIn(state) }), given)).toBe(missing)
  })

  it('is listed for every step and state', () => {
    expect(rows.map(([step]) => step)).toEqual(stepNames)
    expect(columns).toEqual(states)
  })

  it.each(stepNames)('%s: a key without a person and without permissions is told both', (step) => {
    const told = codesOf(step, changeRequest(), nobody)
    expect(told).toBe(step === 'applyInEmergency' ? 'permission permission person' : 'permission person')
  })

  it('is all that is missing at the first stage that fails, and nothing of later ones', () => {
    const current = changeRequest({ createdBy: personOf('cleo'), changes: [] })
    const without: StepFacts = { ...facts('ben'), caller: { id: 2, held: new Set() } }
    expect(codesOf('submit', current, without)).toBe('permission author')
    expect(codesOf('submit', { ...current, state: 'Approved' }, facts('cleo'))).toBe('state empty')
    const call = { excess: 'too long' }
    expect(missingFor('submit', current, facts('cleo'), call)).toEqual([{ code: 'limit', message: 'too long' }])
  })

  it('of an application: approvals of what would be applied, each conflict, and somebody who carries it out', () => {
    const approved = changeRequest({ state: 'Approved', approvals: [vote('ben')] })
    const conflicts = ['checkout: Feature has been archived', 'change 2: Strategy has been deleted']
    const given = { ...facts('ann', { carriesOut: false }), conflicts }
    expect(missingFor('apply', approved, given)).toEqual([
      { code: 'approvals', message: 'The change request has 1 of 2 approvals.' },
      {
        code: 'conflict',
        message: 'The changes no longer fit the flags (checkout: Feature has been archived).',
      },
      { code: 'conflict', message: 'The changes no longer fit the flags (change 2: Strategy has been deleted).' },
      { code: 'gateway', message: 'Nothing can be applied here: no flag gateway is set.' },
    ])
  })

  it('of what is not available: the scheduler, and emergencies', () => {
    const approved = changeRequest({ state: 'Approved', approvals: both })
    expect(missingFor('schedule', approved, facts('ann'))).toEqual([
      {
        code: 'scheduler',
        message: 'Scheduling is not available here. Apply the change request once it is time.',
      },
    ])
    expect(codesOf('applyInEmergency', approved, facts('ann'))).toBe('emergency')
  })

  it('of a vote: that the caller has voted, made or changed it', () => {
    const half = changeRequest({ approvals: [vote('ben')] })
    expect(codesOf('approve', half, facts('ben'))).toBe('voted')
    expect(codesOf('reject', half, facts('ben'))).toBe('voted')
    expect(codesOf('approve', half, facts('ann'))).toBe('own')
    const helped = changeRequest({ changes: [change(1, { createdBy: personOf('cleo') })] })
    expect(codesOf('reject', helped, facts('cleo'))).toBe('own')
  })

  it.each([
    { who: 'ben', person: personOf('ben') },
    { who: 'a user', person: { ...personOf('ben'), username: null } },
  ])(
    'of what is being applied: it names the time, $who and the way out, and asks to try again soon',
    ({ who, person }) => {
      const applying = { applyId: 'a', startedAt: noon, digest: 'sha256:0', by: { ...by('ben').author, person } }
      const busy = changeRequest({ state: 'Approved', approvals: both, applying })
      const [first, ...others] = missingFor('apply', busy, facts('ann'))
      expect([first, others]).toEqual([
        {
          code: 'applying',
          message:
            `The change request is being applied, since ${noon} by ${who}. Try again in a moment. If that application has ` +
            'broken off, somebody who runs this server can end it with the command "express-change-requests settle".',
        },
        [],
      ])
      expect(first && refusalFor(first).retryAfter).toBe(1)
    },
  )
})

describe('title and requested approvers', () => {
  it.each([
    ['author', [], 'permission author'],
    ['author', ['CREATE_CHANGE_REQUEST'], 'author'],
    ['author', ['CREATE_CHANGE_REQUEST', 'ADMIN'], 'ok'],
    ['anyone', ['CREATE_CHANGE_REQUEST'], 'ok'],
    ['anyone', ['APPROVE_CHANGE_REQUEST'], 'ok'],
    ['anyone', [], 'permission'],
  ] as const)('for %s, of a stranger with %j: %s', (whom, held, missing) => {
    const options = { ...noOptions, detailsByAnyone: whom === 'anyone' }
    const given: StepFacts = { caller: { id: 2, held: new Set(held) }, options }
    expect(codesOf('rename', changeRequest(), given)).toBe(missing)
    expect(codesOf('requestApprovers', changeRequest(), given)).toBe(missing)
  })
})

describe('permissionsFor(options, ...steps)', () => {
  it('names what the host is asked, each once', () => {
    expect(permissionsFor(noOptions, 'submit', 'cancel')).toEqual(['CREATE_CHANGE_REQUEST', 'ADMIN'])
    expect(permissionsFor(noOptions, 'rename')).toEqual(['CREATE_CHANGE_REQUEST', 'ADMIN'])
    expect(permissionsFor({ ...noOptions, detailsByAnyone: true }, 'rename')).toEqual([
      'CREATE_CHANGE_REQUEST',
      'APPROVE_CHANGE_REQUEST',
    ])
  })
})

describe('the refusal of a step', () => {
  it('has the name and the sentence of the first, and all in its details', () => {
    const missing = missingFor('submit', changeRequest({ createdBy: personOf('cleo') }), nobody)
    const [first, ...others] = missing
    const error = first && refusalFor(first, ...others)
    expect(ChangeRequestError.is(error)).toBe(true)
    expect(error).toMatchObject({
      name: 'PermissionError',
      message: 'You need the permission CREATE_CHANGE_REQUEST in project shop and environment production.',
      permissions: ['CREATE_CHANGE_REQUEST'],
      details: missing.map(({ code, message }) => ({ code, message })),
    })
  })

  it('is early only for what concerns the caller', () => {
    expect(() => requireCaller('submit', changeRequest(), facts('ann'))).not.toThrow()
    expect(() => requireCaller('submit', changeRequest(), facts('ben'))).toThrow('Only the author')
  })

  it.each(stepCodes)('%s has a name and a stage', (code) => {
    const { error, stage } = codeTable[code]
    const expected = { PermissionError: 'caller', OperationDeniedError: 'caller', ConflictError: 'state' } as const
    expect(stage).toBe(expected[error as keyof typeof expected] ?? 'input')
  })
})
