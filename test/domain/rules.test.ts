import { nextState, states, steps } from '../../src/domain/lifecycle'
import {
  alreadyIs,
  cannotBecome,
  enterState,
  requireAuthor,
  requireAuthorOrAdmin,
  requireNotClosed,
  requireSettled,
  requireTransition,
} from '../../src/domain/rules'
import { schedulingUnavailable } from '../../src/domain/schedule'
import { ChangeRequestError } from '../../src/errors'
import { by, changeRequest, later, type Name, noon, refusalOf } from './support/change-requests'

const names: readonly Name[] = ['ann', 'ben', 'dora']
const applying = { applyId: 'a', startedAt: noon, by: by('ben').author }

describe('who may', () => {
  it.each(names)('requireAuthor: %s', (name) => {
    expect(refusalOf(() => requireAuthor(changeRequest(), by(name), 'sing'))).toBe(
      name === 'ann' ? undefined : 'OperationDeniedError: Only the author of the change request may sing.',
    )
  })

  it.each(names)('requireAuthorOrAdmin: %s', (name) => {
    expect(refusalOf(() => requireAuthorOrAdmin(changeRequest(), by(name), 'sing'))).toBe(
      name === 'ben' ? 'OperationDeniedError: Only the author of the change request or an admin may sing.' : undefined,
    )
  })
})

describe('requireTransition(changeRequest, step, target)', () => {
  it.each(steps.flatMap((step) => states.map((state) => ({ step, state }))))('$step of $state', ({ step, state }) => {
    const current = changeRequest({ state })
    const next = nextState(state, step)
    if (next !== undefined) expect(requireTransition(current, step, 'Applied')).toBe(next)
    else {
      expect(refusalOf(() => requireTransition(current, step, 'Applied'))).toBe(
        state === 'Applied'
          ? 'ConflictError: The change request is Applied already.'
          : `ConflictError: A change request in the state ${state} cannot become Applied.`,
      )
    }
  })
})

describe('requireSettled(changeRequest)', () => {
  it.each([undefined, null])('passes while nothing is being applied (%p)', (nothing) => {
    const current = nothing === undefined ? changeRequest() : changeRequest({ applying: nothing })
    expect(refusalOf(() => requireSettled(current))).toBeUndefined()
  })

  it.each([
    { who: 'ben', person: by('ben').author.person },
    { who: 'a user', person: { ...by('ben').author.person, username: null } },
  ])('names the time, $who and the way out, and asks to try again soon', ({ who, person }) => {
    const busy = changeRequest({ applying: { ...applying, by: { ...applying.by, person } } })
    expect(refusalOf(() => requireSettled(busy))).toBe(
      `ConflictError: The change request is being applied, since ${noon} by ${who}. Try again in a moment. If that ` +
        'application has broken off, somebody who runs this server can end it with the command "express-change-requests settle".',
    )
    expect(() => requireSettled(busy)).toThrow(expect.objectContaining({ retryAfter: 1 }))
  })
})

describe('requireNotClosed(changeRequest, what)', () => {
  it.each(states)('%s', (state) => {
    const closed = ['Applied', 'Cancelled', 'Rejected'].includes(state)
    expect(refusalOf(() => requireNotClosed(changeRequest({ state }), 'no more tea'))).toBe(
      closed ? `ConflictError: The change request is ${state}: no more tea.` : undefined,
    )
  })

  it('is refused while it is being applied', () => {
    expect(refusalOf(() => requireNotClosed(changeRequest({ applying }), 'no'))).toMatch(/being applied/)
  })
})

describe('enterState(changeRequest, state, now)', () => {
  it.each([
    { from: 'Draft', to: 'In review', times: { Draft: noon, 'In review': later } },
    { from: 'In review', to: 'In review', times: { Draft: noon } },
    { from: 'Scheduled', to: 'Scheduled', times: { Draft: noon, Scheduled: later } },
  ] as const)('$from -> $to', ({ from, to, times }) => {
    const before = changeRequest({ state: from })
    expect(enterState(before, to, later)).toEqual({ ...before, state: to, stateTimestamps: times })
  })
})

describe('the errors of steps', () => {
  it.each([
    [alreadyIs('Approved'), 'The change request is Approved already.'],
    [cannotBecome(changeRequest(), 'Applied'), 'A change request in the state In review cannot become Applied.'],
    [schedulingUnavailable(), 'Scheduling is not available here. Apply the change request once it is time.'],
  ])('%s', (error, message) => {
    expect(error).toBeInstanceOf(ChangeRequestError)
    expect([error.name, error.message]).toEqual(['ConflictError', message])
  })
})
