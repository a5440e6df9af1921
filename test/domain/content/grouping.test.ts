import type { Change } from '../../../src/domain/change-request'
import { onlyFeature, subjectsOf } from '../../../src/domain/content/grouping'
import { change, changeRequest } from '../support/change-requests'

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
})
