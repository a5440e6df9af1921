import type { ChangeRequest, Scheduling } from '../../../src/domain/change-request'
import {
  earlyObstacle,
  frozenBy,
  missedBy,
  obstacleTo,
  reasonOf,
  userDeleted,
} from '../../../src/domain/schedule/obstacles'
import { by, change, changeRequest, facts, type GatheredFacts, vote } from '../support/change-requests'

const targets = { '1': 'sha256:one', '2': 'sha256:two' }
const scheduled: ChangeRequest = changeRequest({
  state: 'Scheduled',
  approvals: [vote('ben'), vote('cleo')],
  changes: [change(1), change(2, { action: 'updateSegment', feature: null, payload: { id: 4 } })],
  schedule: { scheduledAt: '2026-03-05T06:00:00.000Z', status: 'pending', reason: null },
  scheduling: { by: by('ben').author, targets },
})
const conflict = 'checkout: Feature has been archived'
const found = (more: Partial<GatheredFacts> = {}, now: Scheduling['targets'] = targets) => ({
  ...facts('ben'),
  targets: now,
  ...more,
})
const altered = 'Switching checkout on: its target was edited after it was scheduled.'
const unapproved =
  'The approved changes no longer match what would be applied. 0 of 2 approvals are still valid; approve again.'

/** @see contract 6.5 */
describe('a scheduled change request', () => {
  it.each([
    ['nothing', found(), undefined, undefined],
    ['a conflict', found({ conflicts: [conflict] }), 'failed', 'conflicts'],
    ['a changed target', found({}, { ...targets, '1': 'sha256:other' }), 'suspended', altered],
    ['a missing approval', found({ digest: 'sha256:now' }), 'suspended', unapproved],
    ['a conflict and a changed target', found({ conflicts: [conflict] }, { '1': 'x' }), 'failed', 'conflicts'],
    ['both', found({ digest: 'sha256:now' }, { '1': 'x', '2': 'sha256:two' }), 'suspended', `${altered} ${unapproved}`],
    [
      'an overwrite',
      found({ overwrites: ['was 1, is 2 now'] }),
      'suspended',
      'The changes would overwrite newer edits (was 1, is 2 now). Rebase the change request.',
    ],
    [
      'all that is missing',
      found({ digest: 'sha256:now', invalidOnApply: [{ code: 'invalid', message: 'Not on a Friday.' }] }),
      'suspended',
      `Not on a Friday. ${unapproved}`,
    ],
    [
      'a conflict, whatever the validator says',
      found({ conflicts: [conflict], invalidOnApply: [{ code: 'invalid', message: 'Not on a Friday.' }] }),
      'failed',
      'conflicts',
    ],
    ['a target that the gateway no longer returns', found({}, {}), undefined, undefined],
  ] as const)('is stopped when it is due by %s', (_, given, status, reason) => {
    const { changed = [], ...obstacle } = obstacleTo(scheduled, given) ?? {}
    expect(obstacle).toEqual(status === undefined ? {} : { status, reason })
    expect(changed.length).toBe(reason?.includes('its target was edited') ? 1 : 0)
  })

  it('is not stopped by a target that was unknown when it was scheduled', () => {
    expect(obstacleTo({ ...scheduled, scheduling: { by: by('ben').author, targets: {} } }, found())).toBeUndefined()
  })

  it('is suspended earlier on a conflict', () => {
    expect(earlyObstacle(scheduled, found({ conflicts: [conflict] }))).toEqual({
      status: 'suspended',
      reason: `The changes cannot be applied to the current flags (${conflict}).`,
    })
    expect(earlyObstacle(scheduled, found())).toBeUndefined()
  })

  it('names a segment by its number, and at most three reasons', () => {
    const five = [1, 2, 3, 4, 5].map((id) => change(id, { action: 'updateSegment', feature: null, payload: { id } }))
    const all = Object.fromEntries(five.map(({ id }) => [id, 'then']))
    const many = { ...scheduled, changes: five, scheduling: { by: by('ben').author, targets: all } }
    const now = Object.fromEntries(five.map(({ id }) => [id, 'now']))
    const sentence = (id: number) => `Editing the segment ${id}: its target was edited after it was scheduled.`
    const three = [1, 2, 3].map(sentence).join(' ')
    expect(obstacleTo(many, found({}, now))?.reason).toBe(`${three} And 2 more.`)
    expect(reasonOf([1, 2, 3].map(sentence))).toBe(three)
  })

  it('is suspended when the user is deleted', () => {
    const reason = 'The user who scheduled it no longer exists'
    const { person, ...author } = by('ben').author
    const unnamed = { targets, by: { ...author, person: { ...person, username: null } } }
    expect(userDeleted(scheduled)).toEqual({ status: 'suspended', reason: `${reason}: ben.` })
    expect(userDeleted({ ...scheduled, scheduling: unnamed }).reason).toBe(`${reason}: a user.`)
  })

  it('is suspended by a freeze', () => {
    const freeze = { name: 'Audit', reason: 'Sales', environment: 'production', from: '2026-03-05T00:00:00.000Z' }
    const reason = 'The freeze "Audit" in production was in force when it was due (Sales).'
    expect(frozenBy(freeze)).toEqual({ status: 'suspended', reason })
  })
})

describe('a missed time', () => {
  it.each([
    [3 * 24 * 60 * 60_000 + 5, 'missed by 3 days'],
    [25 * 60 * 60_000, 'missed by 1 day'],
    [2 * 60 * 60_000, 'missed by 2 hours'],
    [60_000, 'missed by 1 minute'],
    [999, 'missed by 0 seconds'],
  ])('by %d ms is reported', (ms, reason) => {
    expect(missedBy(ms)).toEqual({ status: 'suspended', reason })
  })
})
