import { expiredUpTo, expiresAt, isExpired } from '../../../src/domain/approval/expiry'
import type { Vote } from '../../../src/domain/change-request'
import { emergencyOf } from '../../../src/domain/decisions/apply-trace'
import { approve, reject } from '../../../src/domain/decisions/review'
import { schedule } from '../../../src/domain/decisions/schedule'
import { obstacleTo } from '../../../src/domain/schedule/obstacles'
import { wellFormedCall } from '../../../src/domain/steps/facts'
import { approvedUntil, requirementsOf } from '../../../src/domain/steps/requirements'
import { missingFor, type Step } from '../../../src/domain/steps/steps'
import { changeRequest, facts, type Name, noon, refusalOf, step, vote } from '../support/change-requests'

const afterMs = 3_600_000
const minutesLater = (minutes: number) => new Date(Date.parse(noon) + minutes * 60_000).toISOString()
const at = (minutes: number) => ({ afterMs, at: minutesLater(minutes) })
const voteAt = (name: Name, minutes: number): Vote => ({ ...vote(name), createdAt: minutesLater(minutes) })
const factsAt = (name: Name, minutes: number) => ({ ...facts(name, { scheduler: true }), expiry: at(minutes) })

/** Ben approved at noon, Cleo half an hour later; both count for an hour. */
const approvals = [voteAt('ben', 0), voteAt('cleo', 30)]
const inReview = changeRequest({ approvals })
const approved = changeRequest({ state: 'Approved', approvals })
const scheduled = changeRequest({
  state: 'Scheduled',
  approvals,
  schedule: { scheduledAt: minutesLater(50), status: 'pending', reason: null },
})
const owners = { environment: 'production', name: 'owners', approvals: 1, from: { users: [2] } }

describe('an approval that expires', () => {
  it.each([
    [59.999, 2, 0, 60],
    [60, 1, 1, 90],
    [90, 0, 2, null],
  ])('counts for a requirement only before the hour is over: after %d minutes', (minutes, given, expired, next) => {
    const [minimum] = requirementsOf(inReview, factsAt('ann', minutes))
    const expiry = next === null ? null : minutesLater(next)
    expect(minimum).toMatchObject({ given, expired, expiresAt: expiry })
    expect(minimum?.approvedBy.length).toBe(given)
  })

  it('is counted by a rule only if it would count for it', () => {
    const [minimum, rule] = requirementsOf(inReview, { ...factsAt('ann', 90), rules: [owners] })
    expect([minimum?.expired, rule?.expired]).toEqual([2, 1])
  })

  it('leaves requirements as they are without the option', () => {
    const [minimum] = requirementsOf(inReview, facts('ann'))
    expect(minimum).not.toHaveProperty('expired')
    expect(minimum).not.toHaveProperty('expiresAt')
  })

  it('expires at the latest in the year 9999', () => {
    expect(expiresAt(vote('ben'), { afterMs: Number.MAX_SAFE_INTEGER })).toBe('9999-12-31T23:59:59.999Z')
  })

  it('has expired if it was given at `expiredUpTo` or earlier', () => {
    const expiry = at(60)
    expect(expiredUpTo(expiry)).toBe(noon)
    const millisecondLater = minutesLater(1 / 60_000)
    expect([noon, millisecondLater].map((createdAt) => isExpired({ createdAt }, expiry))).toEqual([true, false])
    expect(expiredUpTo({ ...expiry, afterMs: Number.MAX_SAFE_INTEGER })).toBe('1970-01-01T00:00:00.000Z')
  })
})

describe('steps after approvals have expired', () => {
  const missing = (taken: Step, current: typeof inReview, name: Name, minutes: number) =>
    missingFor(taken, current, factsAt(name, minutes), wellFormedCall)
  const codes = (taken: Step, current: typeof inReview, name: Name, minutes: number) =>
    missing(taken, current, name, minutes).map(({ code }) => code)

  it('a user approves again, and the new approval replaces the expired one', () => {
    expect(codes('approve', approved, 'ben', 59)).toEqual(['wrong-state', 'already-voted'])
    const command = { ...step('ben'), now: minutesLater(60), facts: factsAt('ben', 60) }
    const { changeRequest: again, events } = approve(approved, command)
    expect(again.state).toBe('Approved')
    expect(again.approvals.map(({ createdBy, createdAt }) => [createdBy.id, createdAt])).toEqual([
      [3, minutesLater(30)],
      [2, minutesLater(60)],
    ])
    expect(events.map(({ type }) => type)).toEqual(['change-request-approval-added'])
  })

  it('a change request in review is Approved only with unexpired approvals', () => {
    const half = changeRequest({ approvals: [voteAt('ben', 0)] })
    const as = (minutes: number) => ({ ...step('cleo'), now: minutesLater(minutes), facts: factsAt('cleo', minutes) })
    expect(approve(half, as(59)).changeRequest.state).toBe('Approved')
    expect(approve(half, as(60)).changeRequest.state).toBe('In review')
  })

  it('a user whose approval has expired can reject', () => {
    const half = changeRequest({ approvals: [voteAt('ben', 0)] })
    const as = (minutes: number) => ({ ...step('ben'), now: minutesLater(minutes), facts: factsAt('ben', minutes) })
    expect(refusalOf(() => reject(half, as(59)))).toBe(
      "ConflictError: You have approved this change request, so you can't reject it.",
    )
    expect(reject(half, as(60)).changeRequest.state).toBe('Rejected')
  })

  it('an apply needs the missing approvals again, and names the number that have expired', () => {
    expect(missing('apply', approved, 'ann', 59)).toEqual([])
    expect(missing('apply', approved, 'ann', 60)).toEqual([
      {
        code: 'missing-approvals',
        message: '1 approval has expired. 1 of 2 approvals are still valid; approve again.',
      },
    ])
    const withRule = { ...factsAt('ann', 90), rules: [owners] }
    expect(missingFor('apply', approved, withRule, wellFormedCall).map(({ message }) => message)).toEqual([
      '2 approvals have expired. 0 of 2 approvals are still valid; approve again.',
      'The approval rule "owners" has 0 of 1 approvals from the users 2. 1 approval has expired.',
    ])
  })

  it('an emergency apply stores that approvals are missing', () => {
    const traceAt = (minutes: number) =>
      emergencyOf(approved, 'Payments fail.', factsAt('ann', minutes), minutesLater(minutes))
    expect(traceAt(59)).toBeUndefined()
    expect(traceAt(60)?.missing).toEqual([{ code: 'missing-approvals', name: 'minimum', approvals: 2, given: 1 }])
  })

  it('a schedule that is due is suspended with the reason', () => {
    expect(obstacleTo(scheduled, factsAt('ann', 59))).toBeUndefined()
    expect(obstacleTo(scheduled, factsAt('ann', 60))).toEqual({
      status: 'suspended',
      reason: '1 approval has expired. 1 of 2 approvals are still valid; approve again.',
    })
  })
})

describe('scheduling before approvals expire', () => {
  const scheduleFor = (minutes: number, current = approved) =>
    schedule(current, {
      ...step('ann'),
      now: minutesLater(31),
      facts: factsAt('ann', 31),
      scheduledAt: minutesLater(minutes),
    })

  it('is possible only for a time at which enough approvals count', () => {
    expect(scheduleFor(59.999).changeRequest.state).toBe('Scheduled')
    expect(() => scheduleFor(60)).toThrow(
      `Too few approvals count from ${minutesLater(60)} on, because they expire. Schedule the change request for an earlier time.`,
    )
    expect(refusalOf(() => scheduleFor(60, scheduled))).toMatch(/^ConflictError: Too few approvals/)
  })

  it('needs enough approvals, not all of them', () => {
    const three = changeRequest({ state: 'Approved', approvals: [...approvals, voteAt('dora', 31)] })
    expect(scheduleFor(89.999, three).changeRequest.state).toBe('Scheduled')
    expect(refusalOf(() => scheduleFor(90, three))).toMatch(/^ConflictError: Too few approvals/)
  })

  it('needs the approvals of every rule', () => {
    const three = changeRequest({ state: 'Approved', approvals: [...approvals, voteAt('dora', 31)] })
    expect(approvedUntil(three, factsAt('ann', 31))).toBe(minutesLater(90))
    expect(approvedUntil(three, { ...factsAt('ann', 31), rules: [owners] })).toBe(minutesLater(60))
    expect(approvedUntil(three, facts('ann'))).toBeNull()
  })

  it('is not stopped by the time of a schedule without the option', () => {
    const command = {
      ...step('ann'),
      facts: facts('ann', { scheduler: true }),
      scheduledAt: '2030-01-01T00:00:00.000Z',
    }
    expect(schedule(approved, command).changeRequest.state).toBe('Scheduled')
  })
})
