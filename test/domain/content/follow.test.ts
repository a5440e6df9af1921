import type { ChangeRequest } from '../../../src/domain/change-request'
import { cannotFollow, followingOf, type Predecessor } from '../../../src/domain/content/follow'
import { isWaiting } from '../../../src/domain/content/grouping'
import { change, changeRequest, noon } from '../support/change-requests'

const nine = '2026-03-05T09:00:00.000Z'
const five = '2026-03-05T17:00:00.000Z'
const applied = { state: 'Applied', schedule: null, stateTimestamps: { Draft: noon, Applied: nine } } as const

const planned = (scheduledAt: string, status: 'pending' | 'failed' | 'suspended' = 'pending') =>
  ({ state: 'Scheduled', schedule: { scheduledAt, status, reason: null } }) as const
const pending = changeRequest({ id: 12, ...planned(nine) })
const following = (more: object = {}) =>
  changeRequest({ id: 13, ...planned(five), scheduling: { by: {} as never, targets: {}, follows: 12, ...more } })

describe('cannotFollow(current, predecessor, at)', () => {
  const given = (other: Partial<ChangeRequest> | undefined, more: Partial<Predecessor> = {}): Predecessor => {
    return { id: 12, changeRequest: other && { ...pending, ...other }, inRow: 2, changedSince: [], ...more }
  }
  it.each<[what: string, Predecessor, at: string | null, why: RegExp | undefined]>([
    ['nothing', given({}), five, undefined],
    ['no time of its own', given({}), null, undefined],
    ['one that does not exist', given(undefined), five, /^The project has no change request #12/],
    ['one in review', given({ state: 'In review', schedule: null }), five, /^Change request #12 is In review/],
    ['an applied one', given(applied), five, /^Change request #12 is Applied/],
    ['a suspended one', given(planned(nine, 'suspended')), five, /^Change request #12 is scheduled, but suspended/],
    ['a failed one', given(planned(nine, 'failed')), five, /but failed/],
    ['another environment', given({ environment: 'staging' }), five, /another environment/],
    ['other flags', given({ changes: [{ ...change(9), feature: 'search' }] }), five, /none of the same flags/],
    ['a later one', given(planned(five)), five, /is scheduled for 2026-03-05T17:00:00.000Z/],
    ['ten in a row', given({}, { inRow: 10 }), five, undefined],
    ['eleven in a row', given({}, { inRow: 11 }), five, /^At most 10/],
    ['itself', given({}, { inRow: Number.POSITIVE_INFINITY }), null, /itself follows this one/],
  ])('finds %s', (_, predecessor, at, why) => {
    const found = cannotFollow(changeRequest({ id: 13 }), predecessor, at)
    if (why === undefined) expect(found).toBe(undefined)
    else expect(found).toMatch(why)
  })
})

describe('followingOf(current, predecessor)', () => {
  const stopped = (how: string) => ({ status: 'suspended', reason: `It follows change request #12, which ${how}.` })
  it.each<[what: string, current: ChangeRequest, other: ChangeRequest | undefined, expected: object]>([
    ['waits for a pending one', following(), pending, { waits: true, scheduledAt: five }],
    [
      'moves with it',
      following({ minutesAfter: 60 }),
      pending,
      { waits: true, scheduledAt: '2026-03-05T10:00:00.000Z' },
    ],
    [
      'moves to a later time, too',
      following({ minutesAfter: 60 }),
      { ...pending, ...planned(five) },
      { waits: true, scheduledAt: '2026-03-05T18:00:00.000Z' },
    ],
    ['goes on', following(), { ...pending, ...applied }, { waits: false, appliedAt: nine }],
    [
      'is for an earlier time',
      following(),
      { ...pending, ...planned(five) },
      stopped('is now scheduled for a later time'),
    ],
    ['follows a failed one', following(), { ...pending, ...planned(nine, 'failed') }, stopped('failed')],
    ['follows a suspended one', following(), { ...pending, ...planned(nine, 'suspended') }, stopped('was suspended')],
    ['follows a rejected one', following(), { ...pending, state: 'Rejected' }, stopped('was rejected')],
    ['follows a cancelled one', following(), { ...pending, state: 'Cancelled' }, stopped('was cancelled')],
    ['follows one in review', following(), { ...pending, state: 'In review' }, stopped('went back to review')],
    ['follows one that is gone', following(), undefined, stopped('no longer exists')],
  ])('%s', (_, current, other, expected) => {
    expect(followingOf(current, other)).toEqual(expected)
  })
})

describe('isWaiting(changeRequest)', () => {
  it('ends with the apply of the predecessor, and with the pending schedule', () => {
    expect(isWaiting(following())).toBe(true)
    expect(isWaiting(following({ predecessorAppliedAt: nine }))).toBe(false)
    expect(isWaiting({ ...following(), ...planned(five, 'suspended') })).toBe(false)
    expect(isWaiting(pending)).toBe(false)
  })
})
