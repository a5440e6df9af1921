import type { ChangeRequest } from '../../../src/domain/change-request'
import { closedStates } from '../../../src/domain/lifecycle'
import { permissionMissing } from '../../../src/domain/steps/caller-rules'
import { type CallFacts, type CopyFacts, type RevertFacts, wellFormedCall } from '../../../src/domain/steps/facts'
import { missingFor, requireProposer, type Step, stepError } from '../../../src/domain/steps/steps'
import { ChangeRequestError } from '../../../src/errors'
import {
  by,
  change,
  changeRequest,
  commentOf,
  facts,
  type GatheredFacts,
  later,
  type Name,
  nobody,
  noon,
  permissions,
  personOf,
  refusalOf,
  vote,
} from '../support/change-requests'

type State = ChangeRequest['state']
type Given = Partial<GatheredFacts & CallFacts>

const inState = (state: State, properties: Partial<ChangeRequest> = {}) => changeRequest({ state, ...properties })
/** The findings of the step for Ann, who is the author, as `code: message`. */
const found = (step: Step, current: ChangeRequest, given: Given = {}) =>
  missingFor(step, current, { ...facts('ann'), ...given }, { ...wellFormedCall, ...given }).map(
    ({ code, message }) => `${code}: ${message}`,
  )
const codes = (...given: Parameters<typeof found>) => found(...given).map((finding) => finding.split(':')[0])

describe('a step in the wrong state', () => {
  it.each<[Step, State, string]>([
    ['rebase', 'Applied', 'The change request is Applied: its changes can no longer be edited.'],
    ['revert', 'Approved', 'Only an Applied change request can be reverted; this one is Approved.'],
    ['copy', 'Draft', 'Only a closed change request can be copied; this one is Draft.'],
    ['settle', 'Approved', 'The change request is Approved and has no interrupted apply.'],
    ['applyInEmergency', 'Applied', 'The change request is already Applied.'],
    ['applyInEmergency', 'Rejected', 'A change request in the state Rejected cannot become Applied.'],
    ['presetSchedule', 'Draft', 'A change request in the state Draft cannot have a preset schedule.'],
  ])('%s while it is %s: %s', (step, state, message) => {
    const { options } = facts('ann', { emergency: true, presetsSchedules: true })
    expect(found(step, inState(state), { options })).toEqual([`wrong-state: ${message}`])
  })

  it.each(closedStates)('reports the state alone when it is %s: it is never applied', (state) => {
    const current = inState(state, { approvals: [vote('ben')], comments: [commentOf(1, 'ann')] })
    const freeze = { name: 'Audit', reason: 'Sales', environment: 'production', from: noon }
    const given: Given = {
      ...{ conflicts: ['gone'], overwrites: ['was 1, is 2 now'], freezes: [freeze], at: later, commentId: 1 },
      options: facts('ann', { scheduler: true, presetsSchedules: true }).options,
      expiry: { afterMs: 1, at: later },
    }
    const steps: readonly Step[] = ['schedule', 'presetSchedule', 'apply', 'editComment', 'deleteComment']
    expect(steps.map((step) => codes(step, current, given))).toEqual(steps.map(() => ['wrong-state']))
  })
})

describe('a freeze, and approvals that expire', () => {
  it('do not matter to the review of a schedule, whose time is not known yet', () => {
    const current = inState('Approved', { approvals: [vote('ben'), vote('cleo')] })
    const { options } = facts('ann', { scheduler: true })
    const freezes = [{ name: 'Audit', reason: 'Sales', environment: 'production', from: noon }]
    const given = { options, freezes, expiry: { afterMs: 3_600_000, at: later } }
    expect(codes('schedule', current, { ...given, at: null })).toEqual([])
    expect(codes('schedule', current, { ...given, at: '2026-03-04T14:00:00.000Z' })).toEqual([
      'missing-approvals',
      'frozen',
    ])
  })
})

/** @see contract 17 */
describe('a revert', () => {
  const irreversible = { id: 1, action: 'archiveFeature', feature: 'checkout', phrase: 'Archiving checkout' } as const
  const valid: RevertFacts = { changes: [change(1)], irreversible: [], invalid: [], excess: undefined }
  const of = (revert: Partial<RevertFacts>, partial = false) =>
    found('revert', inState('Applied'), { revert: { ...valid, ...revert }, partial })

  it('needs that every change can be reverted, or that a partial one is accepted', () => {
    expect(of({})).toEqual([])
    expect(of({}, true)).toEqual([])
    const two = [irreversible, { ...irreversible, phrase: 'Deleting a variant' }]
    expect(of({ irreversible: two })).toEqual([
      'irreversible: Archiving checkout cannot be reverted.',
      'irreversible: Deleting a variant cannot be reverted.',
    ])
    expect(of({ irreversible: two }, true)).toEqual([])
  })

  it('needs a change that can be reverted', () => {
    const nothing = 'no-changes: There is nothing to revert.'
    expect(of({ changes: [] })).toEqual([nothing])
    expect(of({ changes: [], irreversible: [irreversible] }, true)).toEqual([nothing])
  })

  it('must be valid and within the limits', () => {
    expect(of({ invalid: [{ code: 'invalid', message: 'Not on a Friday.' }] })).toEqual(['invalid: Not on a Friday.'])
    expect(of({ excess: 'Too large.' })).toEqual(['limit-exceeded: Too large.'])
  })
})

describe('a copy', () => {
  const valid: CopyFacts = { invalid: [], excess: undefined, rejected: undefined }
  const of = (copy: Partial<CopyFacts>) => found('copy', inState('Rejected'), { copy: { ...valid, ...copy } })

  it('must be of flags that the host app knows, within the limits and valid', () => {
    const rejected = new ChangeRequestError('NotFoundError', 'There is no flag checkout.')
    expect(of({})).toEqual([])
    expect(of({ rejected, excess: 'Too large.' })).toEqual(['invalid: There is no flag checkout.'])
    expect(of({ excess: 'Too large.' })).toEqual(['limit-exceeded: Too large.'])
    expect(of({ invalid: [{ code: 'invalid', message: 'Not on a Friday.' }] })).toEqual(['invalid: Not on a Friday.'])
  })

  it('that the host app rejects has the error of the host app', () => {
    const rejected = new ChangeRequestError('NotFoundError', 'There is no flag checkout.')
    const current = inState('Rejected')
    const [first] = missingFor('copy', current, { ...facts('ann'), copy: { ...valid, rejected } }, wellFormedCall)
    expect(first && stepError(first)).toBe(rejected)
  })
})

describe('a rebase', () => {
  it('may leave no changes only in a draft', () => {
    expect(found('rebase', inState('Draft'), { leavesNone: true })).toEqual([])
    expect(found('rebase', inState('In review'), { leavesNone: true })).toEqual([
      'no-changes: The rebase would leave no changes. Cancel or reject the change request instead.',
    ])
  })
})

describe('the end of an interrupted apply', () => {
  const applying = { applyId: 'a', startedAt: noon, digest: 'sha256:0', by: by('ben').author }
  const settle = (interrupted: boolean, knowsOutcome: boolean) =>
    found('settle', inState('Approved', { applying }), { interrupted, options: facts('ann', { knowsOutcome }).options })

  it('needs an apply that is interrupted, and a gateway that knows its outcome', () => {
    const succeeds = `being-applied: The change request is being applied (started at ${noon} by ben). This may still succeed. Try again in a moment.`
    const unknown =
      'no-flag-gateway: The flag gateway cannot report whether the changes were applied. An operator of this server ' +
      'must check, and end the apply with the command "express-change-requests settle".'
    expect(settle(true, true)).toEqual([])
    expect(settle(false, true)).toEqual([succeeds])
    expect(settle(true, false)).toEqual([unknown])
    expect(settle(false, false)).toEqual([succeeds, unknown])
  })
})

describe('an acknowledgement', () => {
  it('needs an apply in an emergency, by another user', () => {
    const emergency = { reason: 'Payments fail.', missing: [], appliedBy: personOf('ben'), acknowledgement: null }
    expect(found('acknowledge', inState('Applied', { emergency }), facts('ben'))).toEqual([
      "own-change-request: You can't acknowledge a change request that you created, edited or applied.",
    ])
    expect(found('acknowledge', inState('Applied'), facts('cleo'))).toEqual([
      'wrong-state: There is nothing to acknowledge: the change request was not applied in an emergency.',
    ])
  })
})

describe('the permission that a step needs', () => {
  const without = (name: Name, held: Given = {}): Given => ({
    ...facts(name),
    ...permissions({ CREATE_CHANGE_REQUEST: false, APPROVE_CHANGE_REQUEST: false, APPLY_CHANGE_REQUEST: false }),
    ...held,
  })

  it.each([
    ['READ_CHANGE_REQUEST', { project: 'shop', environment: 'production' }, ' in project shop'],
    ['ADMIN', { project: 'shop', environment: 'production' }, ' in project shop and environment production'],
    ['ADMIN', { project: 'p'.repeat(101) }, ` in project ${'p'.repeat(100)}`],
    ['ADMIN', {}, ''],
  ])('%s is named with its place %j', (name, place, where) => {
    const message = `You need the permission ${name}${where}.`
    expect(permissionMissing(name, place)).toEqual({ code: 'missing-permission', message, permission: name })
  })

  it('is named for every environment in which it is missing', () => {
    const elsewhere = { 'APPLY_CHANGE_REQUEST elsewhere': ['staging', undefined] }
    const current = inState('Approved', { approvals: [vote('ben'), vote('cleo')] })
    const missing = 'missing-permission: You need the permission APPLY_CHANGE_REQUEST in project shop'
    expect(found('apply', current, elsewhere)).toEqual([`${missing} and environment staging.`, `${missing}.`])
  })

  it('is named for title and requested approvers', () => {
    const [create] = found('rename', changeRequest(), without('ben'))
    expect(create).toMatch('You need the permission CREATE_CHANGE_REQUEST in project shop and environment production.')
  })

  it.each<[string, Step, State, Given, readonly string[]]>([
    ['Its author', 'reject', 'Scheduled', without('ann'), []],
    ['An ADMIN', 'reject', 'Scheduled', without('ben', { ADMIN: true }), []],
    ['Another user', 'reject', 'Scheduled', without('ben'), ['missing-permission']],
    ['An ADMIN', 'reject', 'In review', without('ben', { ADMIN: true }), ['missing-permission']],
    ['A key without a user id', 'reject', 'Scheduled', nobody, ['missing-permission', 'no-user-id']],
    ['Its author', 'withdrawPresetSchedule', 'Approved', without('ann'), []],
    ['An ADMIN', 'withdrawPresetSchedule', 'Approved', without('ben', { ADMIN: true }), []],
    ['Another user', 'withdrawPresetSchedule', 'Approved', without('ben'), ['missing-permission']],
  ])('%s without it and the step %s while it is %s', (_, step, state, given, expected) => {
    expect(codes(step, inState(state), given)).toEqual(expected)
  })

  it('is checked for a proposal without a change request', () => {
    const place = { project: 'shop', environment: 'staging' }
    expect(refusalOf(() => requireProposer(place, facts('ben')))).toBe(undefined)
    expect(refusalOf(() => requireProposer(place, { ...facts('ben'), CREATE_CHANGE_REQUEST: false }))).toBe(
      'PermissionError: You need the permission CREATE_CHANGE_REQUEST in project shop and environment staging.',
    )
  })
})

describe('the author of a comment', () => {
  const current = changeRequest({ comments: [commentOf(1, 'ben')] })

  it.each(['editComment', 'deleteComment'] as const)('%s: another user is denied', (step) => {
    const what = step === 'editComment' ? 'edit' : 'delete'
    const denied = `not-the-author: Only the author of the comment may ${what} it.`
    expect(found(step, current, { ...facts('ben'), commentId: 1 })).toEqual([])
    expect(found(step, current, { ...facts('cleo'), commentId: 1 })).toEqual([denied])
    expect(codes(step, current, { ...nobody, commentId: 1 })).toEqual(['missing-permission', 'no-user-id'])
    // The decision reports that there is no such comment.
    expect(found(step, current, { ...facts('cleo'), commentId: 9, at: later })).toEqual([])
  })

  it('resolves it, and so does anyone who can approve', () => {
    const noApprover = (name: Name) => ({ ...facts(name), APPROVE_CHANGE_REQUEST: false, commentId: 1 })
    expect(codes('resolveComment', current, noApprover('ben'))).toEqual([])
    expect(codes('resolveComment', current, noApprover('cleo'))).toEqual(['missing-permission'])
    expect(codes('resolveComment', current, { ...noApprover('cleo'), commentId: 9 })).toEqual(['missing-permission'])
  })

  it('edits it within 10 minutes, which the review does not check', () => {
    const at = '2026-03-04T12:10:00.001Z'
    expect(codes('editComment', current, { ...facts('ben'), commentId: 1, at })).toEqual(['wrong-state'])
    expect(codes('editComment', current, { ...facts('ben'), commentId: 1, at: null })).toEqual([])
  })
})

describe('the error of a step', () => {
  it('refers to the details if the changes are invalid, and names the paths that are known', () => {
    const invalid = { code: 'invalid', message: 'Not on a Friday.' } as const
    const error = stepError({ ...invalid, path: '/body/0' }, invalid)
    expect(error.message).toBe('The changes are invalid. See details for each problem.')
    expect(error.details).toStrictEqual([{ ...invalid, path: '/body/0' }, invalid])
  })

  it('has permissions and a time to retry only where they apply', () => {
    const error = stepError({ code: 'wrong-state', message: 'It is Draft.' })
    expect([error.message, error.permissions, error.retryAfter]).toEqual(['It is Draft.', undefined, undefined])
  })
})
