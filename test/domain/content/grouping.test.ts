import type { Change, ChangeRequest, Emergency } from '../../../src/domain/change-request'
import { notApprovedSince, onlyFeature, reviewedSince, subjectsOf } from '../../../src/domain/content/grouping'
import { by, change, changeRequest, later, noon, personOf, vote } from '../support/change-requests'

const ofFlag = (feature: string) => change(1, { feature })
const ofSegment = (id: number) => change(1, { action: 'deleteSegment', feature: null, payload: { id } })

describe('onlyFeature(changeRequest)', () => {
  it.each([
    { what: 'no changes', changes: [], feature: null },
    { what: 'one flag', changes: [ofFlag('a'), ofFlag('a')], feature: 'a' },
    { what: 'two flags', changes: [ofFlag('a'), ofFlag('b')], feature: null },
    { what: 'a flag and a segment', changes: [ofFlag('a'), ofSegment(4)], feature: null },
    { what: 'a segment', changes: [ofSegment(4)], feature: null },
  ])('of $what: $feature', ({ changes, feature }) => {
    expect(onlyFeature(changeRequest({ changes }))).toBe(feature)
  })
})

const emergency: Emergency = { reason: 'r', missing: [], appliedBy: personOf('ben'), acknowledgement: null }

describe('subjectsOf(changeRequest)', () => {
  it('are its flags, segments and requested approvers, each once', () => {
    const changes = [ofFlag('a'), ofSegment(4), ofFlag('b'), ofFlag('a'), ofSegment(4)]
    expect(subjectsOf(changeRequest({ changes, requestedApprovers: [2, 3] }))).toEqual([
      'feature:a',
      'segment:4',
      'feature:b',
      'approver:2',
      'approver:3',
    ])
  })

  it('include the segments that strategies use, until it is closed', () => {
    const using: Change = { ...ofFlag('a'), action: 'addStrategy', payload: { name: 'default', segments: [4, 9] } }
    const changes = [using, using, ofSegment(9)]
    expect(subjectsOf(changeRequest({ changes }))).toEqual([
      'feature:a',
      'segment:9',
      'uses-segment:4',
      'uses-segment:9',
    ])
    expect(subjectsOf(changeRequest({ changes, state: 'Applied' }))).toEqual(['feature:a', 'segment:9'])
  })

  it.each<[string, Partial<ChangeRequest>, string[]]>([
    ['what it reverts', { reverts: 3 }, ['reverts:3']],
    ['what it schedules', { state: 'Scheduled', changes: [ofFlag('a')] }, ['feature:a', 'scheduled:feature:a']],
    ['its other authors', { otherAuthors: [3] }, ['reviewed:3:author', 'author:3']],
    ['who has approved it, with the time', { approvals: [vote('ben')] }, [`reviewed:2:${noon}`]],
    [
      'since when it has enough approvals',
      { state: 'Approved', approvals: [{ ...vote('ben'), createdAt: later }, vote('cleo')] },
      [`reviewed:2:${later}`, `reviewed:3:${noon}`, `approved:${noon}`],
    ],
    [
      'that it has too few approvals',
      { state: 'Approved', approvals: [vote('ben')] },
      [`reviewed:2:${noon}`, 'approved:'],
    ],
    [
      'who must look at its schedule',
      {
        schedule: { scheduledAt: noon, status: 'failed', reason: 'r' },
        scheduling: { by: by('cleo').author, targets: {} },
      },
      ['stopped:1', 'stopped:3'],
    ],
    ['nobody for a pending schedule', { schedule: { scheduledAt: noon, status: 'pending', reason: null } }, []],
    [
      'who cannot acknowledge it',
      { state: 'Applied', emergency, otherAuthors: [3] },
      ['author:3', 'involved:1', 'involved:2', 'involved:3'],
    ],
    [
      'nobody once it is acknowledged',
      { emergency: { ...emergency, acknowledgement: { createdBy: personOf('cleo'), createdAt: noon } } },
      [],
    ],
    ['no voters once it is closed', { state: 'Rejected', approvals: [vote('ben')] }, []],
  ])('include %s', (_, more, subjects) => {
    expect(subjectsOf(changeRequest({ changes: [], ...more }))).toEqual(subjects)
  })

  it('are found in ranges of times: after an approval, and up to one', () => {
    const isIn = (subject: string, { from, to }: { readonly from: string; readonly to: string }) =>
      subject >= from && subject <= to
    const since = reviewedSince(2, noon)
    expect([noon, later, 'author'].map((time) => isIn(`reviewed:2:${time}`, since))).toEqual([false, true, true])
    expect(isIn(`reviewed:2:${noon}`, reviewedSince(2, null))).toBe(true)
    expect(isIn(`reviewed:22:${later}`, since)).toBe(false)
    expect(['', noon, later].map((time) => isIn(`approved:${time}`, notApprovedSince(noon)))).toEqual([
      true,
      true,
      false,
    ])
  })
})
