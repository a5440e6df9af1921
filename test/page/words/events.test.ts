import { eventWords } from '../../../src/page/app/words/events'
import { textOf } from '../../../src/page/app/words/spans'
import { waitsWords } from '../../../src/page/app/words/waits'

describe('what a change request waits for', () => {
  it.each([
    [[['minimum', 2, 1]], '1 of 2 · 1 approval missing'],
    [[['minimum', 2, 0]], '0 of 2 · 2 approvals missing'],
    [
      [
        ['minimum', 2, 2],
        ['payments owners', 1, 0],
      ],
      '2 of 2 · payments owners missing',
    ],
    [[['minimum', 1, 1]], '1 of 1 · nothing is missing'],
    [[], 'nothing is missing'],
  ] as [[string, number, number][], string][])('%j is %s', (list, expected) => {
    const requirements = list.map(([name, approvals, given]) => ({ name, approvals, given }))
    expect(textOf(waitsWords(requirements))).toBe(expected)
  })
})

describe('an event of the timeline', () => {
  const context = { nameOf: (id: number) => (id === 2 ? 'Ben' : undefined), time: (iso: string) => `at ${iso}` }
  it.each([
    ['change-request-created', { reverts: 7 }, null, 'started the request, which reverts #7'],
    ['change-request-scheduled', { scheduledDate: 'noon' }, null, 'scheduled it for at noon'],
    ['change-request-approval-added', { afterReview: true }, null, 'had the second look'],
    ['change-request-requested-approvers-updated', { reviewers: [2, 3] }, null, 'asked Ben and user 3 to approve'],
    [
      'change-request-applied',
      { emergency: { reason: 'fire', missing: [{}] } },
      null,
      'applied it in an emergency, with 1 requirement not met: “fire”',
    ],
    [
      'change-edited',
      { action: 'updateStrategy', feature: 'a', payload: { id: 's', parameters: { rollout: '75' } } },
      { payload: { id: 's', parameters: { rollout: '60' } } },
      'edited a: Strategy “s” edited (rollout 60 → 75)',
    ],
    [
      'change-edited',
      { changeId: 7, action: 'updateStrategy', feature: 'a', payload: { id: 's' } },
      { changeId: 7, payload: { id: 's' } },
      'rebased a: Strategy “s” edited',
    ],
    ['something-new', null, null, 'something-new'],
    ['change-edited', 'nonsense', null, 'edited a change'],
  ])('%s is told', (type, data, preData, expected) => {
    const event = { id: 1, type, createdAt: '', createdBy: 'Ann', data, preData }
    expect(textOf(eventWords(event, context).words)).toBe(expected)
  })
})
