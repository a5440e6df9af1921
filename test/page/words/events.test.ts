import { changeRequestSentences } from '../../../src/domain/events/vocabulary'
import { eventWords, hasActor, repeatedWords } from '../../../src/page/app/words/events'
import { textOf } from '../../../src/page/app/words/spans'

describe('an event of the timeline', () => {
  const context = { nameOf: (id: number) => (id === 2 ? 'Ben' : undefined), time: (iso: string) => `at ${iso}` }
  it.each([
    ['change-request-created', { reverts: 7 }, null, 'created the request, which reverts #7'],
    ['change-request-scheduled', { scheduledDate: 'noon' }, null, 'scheduled it for at noon'],
    ['change-request-approval-added', { afterReview: true }, null, 'acknowledged the emergency'],
    ['change-request-requested-approvers-updated', { reviewers: [2, 3] }, null, 'asked Ben and user 3 to approve'],
    [
      'change-request-applied',
      { emergency: { reason: 'fire', missing: [{}] } },
      null,
      'applied it in an emergency, with 1 requirement not met: “fire”',
    ],
    [
      'change-request-applied',
      { emergency: { reason: 'fire', missing: [{}, { code: 'objection' }] } },
      null,
      'applied it in an emergency, with 1 requirement not met and 1 open objection: “fire”',
    ],
    [
      'change-request-applied',
      { emergency: { reason: 'fire', missing: [{ code: 'objection' }] } },
      null,
      'applied it in an emergency, with 1 open objection: “fire”',
    ],
    ['change-request-sent-to-review', { takenBack: true }, null, 'returned it to review'],
    [
      'change-edited',
      { action: 'updateStrategy', feature: 'a', payload: { id: 's', parameters: { rollout: '75' } } },
      { payload: { id: 's', parameters: { rollout: '60' } } },
      'edited a: Strategy “s” edited (rollout 60 % → 75 %)',
    ],
    [
      'change-edited',
      { changeId: 7, action: 'updateStrategy', feature: 'a', payload: { id: 's' } },
      { changeId: 7, payload: { id: 's' } },
      'rebased a: Strategy “s” edited',
    ],
    [
      'change-discarded',
      { changeRequestId: 1 },
      { action: 'updateStrategy', feature: 'a', payload: { id: 's' } },
      'removed a: Strategy “s” edited',
    ],
    ['constructor', null, null, 'constructor'],
    ['something-new', null, null, 'something-new'],
    ['change-edited', 'nonsense', null, 'edited a change'],
  ])('%s has a sentence', (type, data, preData, expected) => {
    const event = { id: 1, type, createdAt: '', createdBy: 'Ann', data, preData }
    expect(textOf(eventWords(event, context))).toBe(expected)
  })
})

/** What the activity of a change request shows of each type, without more data than the type has anyway. */
const activity = {
  'change-request-created': 'Ann created the request',
  'change-added': 'Ann added a change',
  'change-edited': 'Ann edited a change',
  'change-discarded': 'Ann removed a change',
  'change-request-discarded': 'Ann discarded the draft',
  'change-request-sent-to-review': 'Ann requested a review',
  'change-request-approval-added': 'Ann approved it',
  'change-request-approved': 'Ann gave the last required approval; not applied yet',
  'change-request-rejected': 'Ann rejected it',
  'change-request-cancelled': 'Ann cancelled it',
  'change-request-applied': 'Ann applied it',
  'change-request-scheduled': 'Ann scheduled it for at noon',
  'change-request-schedule-suspended': 'It will not be applied as scheduled: gone',
  'change-request-scheduled-application-success': 'It was applied as scheduled',
  'change-request-scheduled-application-failure': 'It could not be applied as scheduled: gone',
  'change-request-requested-approvers-updated': 'Ann asked an unknown user to approve',
} satisfies Record<keyof typeof changeRequestSentences, string>

describe('the activity of a change request', () => {
  const context = { nameOf: () => undefined, time: (iso: string) => `at ${iso}` }
  const data = { reason: 'gone', scheduledDate: 'noon' }

  it('has words for each type of event of a change request', () => {
    expect(Object.keys(activity)).toEqual(Object.keys(changeRequestSentences))
  })

  it.each(Object.entries(activity))('%s: %s', (type, expected) => {
    const event = { id: 1, type, createdAt: '', createdBy: 'Ann', data }
    expect(`${hasActor(event) ? 'Ann ' : ''}${textOf(eventWords(event, context))}`).toBe(expected)
  })

  it('emphasizes what is not as expected', () => {
    const event = { id: 1, type: 'change-request-scheduled-application-failure', createdAt: '', createdBy: '', data }
    expect(eventWords(event, context)).toContainEqual({ text: 'not be applied as scheduled', as: 'strong' })
  })

  it('counts changes that came in a row', () => {
    expect(textOf(repeatedWords('change-discarded', 3))).toBe('removed 3 changes')
  })
})
