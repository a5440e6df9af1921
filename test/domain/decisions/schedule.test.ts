import type { ChangeRequest } from '../../../src/domain/change-request'
import { completeApply } from '../../../src/domain/decisions/apply'
import { approve } from '../../../src/domain/decisions/review'
import { dueAt, endHold, fail, hold, schedule, suspend, withoutSchedule } from '../../../src/domain/decisions/schedule'
import { by, changeRequest, facts, later, noon, personOf, refusalOf, step, vote } from '../support/change-requests'

const scheduledAt = '2026-03-05T06:00:00.000Z'
const targets = { '1': 'sha256:one' }
const both = [vote('ben'), vote('cleo')]
const approved = changeRequest({ state: 'Approved', approvals: both })
const command = (comment: string | null = null) => {
  return { ...step('ben', comment), facts: { ...facts('ben', { scheduler: true }), targets }, scheduledAt }
}
const scheduled = schedule(approved, command()).changeRequest
const suspended = suspend(scheduled, later, 'gone').changeRequest

/** @see contract 6.2, 5.3 */
describe('scheduling', () => {
  it('stores the time, the user, the state of the targets, and the comment', () => {
    const { changeRequest: stored, events } = schedule(approved, command('At night.'))
    expect(stored).toEqual({
      ...approved,
      state: 'Scheduled',
      stateTimestamps: { Draft: noon, Scheduled: later },
      schedule: { scheduledAt, status: 'pending', reason: null },
      scheduling: { by: { ...by('ben').author, ip: null }, targets },
      comments: [expect.objectContaining({ text: 'At night.' })],
      finalComments: 1,
    })
    expect(events).toMatchObject([
      {
        type: 'change-request-scheduled',
        createdBy: 'ben@example.com',
        data: { changeRequestId: 7, scheduledDate: scheduledAt },
      },
    ])
  })

  it('again replaces the time and the user, and ends a suspension', () => {
    const again = {
      ...command(),
      by: by('cleo'),
      scheduledAt: '2026-03-06T06:00:00.000Z',
      now: '2026-03-04T13:00:00.000Z',
    }
    const { changeRequest: stored } = schedule(suspended, again)
    expect(stored).toMatchObject({
      schedule: { scheduledAt: '2026-03-06T06:00:00.000Z', status: 'pending', reason: null },
      scheduling: { by: { person: personOf('cleo') } },
      stateTimestamps: { Scheduled: '2026-03-04T13:00:00.000Z' },
    })
  })

  it('is rejected without a scheduler', () => {
    expect(refusalOf(() => schedule(approved, { ...command(), facts: facts('ben') }))).toBe(
      'ConflictError: Scheduling is not available. Apply the change request yourself when it is time.',
    )
  })
})

describe('a suspension', () => {
  it('keeps the time, and is written by the system', () => {
    const { changeRequest: stored, events } = suspend(scheduled, later, 'gone')
    expect(stored).toEqual({ ...scheduled, schedule: { scheduledAt, status: 'suspended', reason: 'gone' } })
    expect(events).toMatchObject([
      {
        type: 'change-request-schedule-suspended',
        createdBy: 'unleash_system_user',
        createdByUserId: -1337,
        data: { changeRequestId: 7, reason: 'gone' },
      },
    ])
  })
})

describe('a failure', () => {
  it('has the time of the attempt, and is written by the user who scheduled', () => {
    const { changeRequest: stored, events } = fail(scheduled, { by: by('ben'), now: later }, 'conflicts')
    expect(stored).toEqual({ ...scheduled, schedule: { scheduledAt: later, status: 'failed', reason: 'conflicts' } })
    expect(events).toMatchObject([
      {
        type: 'change-request-scheduled-application-failure',
        createdBy: 'ben@example.com',
        data: { changeRequestId: 7, reason: 'conflicts' },
      },
    ])
  })
})

describe('an apply on schedule', () => {
  const types = (current: ChangeRequest, given: object) =>
    completeApply(current, { ...step('ben'), ...given }, [], undefined).events.map(({ type, data }) => [type, data])

  it('marks its event as scheduled, and logs the success after it', () => {
    const applied = completeApply(scheduled, { ...step('ben'), scheduled: true }, [], undefined).changeRequest
    expect(applied.ended).toEqual({ by: personOf('ben'), scheduled: true })
    expect(types(scheduled, { scheduled: true })).toEqual([
      ['change-request-applied', { changeRequestId: 7, scheduled: true }],
      ['change-request-scheduled-application-success', { changeRequestId: 7 }],
    ])
  })

  it('manually does not mention the schedule', () => {
    expect(types(scheduled, {})).toEqual([['change-request-applied', { changeRequestId: 7 }]])
  })
})

describe('an approval of a scheduled change request', () => {
  it('is accepted while approvals of the current content are missing, and keeps the state', () => {
    const waiting = { ...suspended, approvals: [vote('ben', 'sha256:other'), vote('cleo')] }
    const { changeRequest: voted, events } = approve(waiting, step('dora'))
    expect([voted.state, voted.approvals.length, voted.stateTimestamps]).toEqual([
      'Scheduled',
      3,
      suspended.stateTimestamps,
    ])
    expect(events.map(({ type }) => type)).toEqual(['change-request-approval-added'])
  })
})

describe('the time at which it is due', () => {
  it.each([
    ['pending', scheduled, scheduledAt],
    ['suspended', suspended, null],
    ['not scheduled', approved, null],
    ['not scheduled any more', withoutSchedule(scheduled), null],
  ] as const)('while it is %s', (_, current, expected) => {
    expect(dueAt(current)).toBe(expected)
  })
})

describe('a hold', () => {
  const held = { by: 'Sale', until: null }

  it('is stored until it ends; the change request is due from then on', () => {
    const waiting = hold(endHold(scheduled, noon), held)
    expect(waiting.scheduling).toEqual({ ...scheduled.scheduling, held })
    const free = endHold(waiting, later)
    expect([free.scheduling, dueAt(waiting), dueAt(free)]).toEqual([
      { ...scheduled.scheduling, holdEndedAt: later },
      scheduledAt,
      later,
    ])
  })

  it('is only for a scheduled change request, as a suspension', () => {
    expect(() => hold(approved, held)).toThrow('Only a scheduled change request can be held.')
    expect(() => suspend(approved, later, 'gone')).toThrow('Only a scheduled change request can be suspended.')
  })
})
