import { lastTouched } from '../../../src/capabilities/lists/review-view'
import { change, changeRequest, later, noon, personOf, vote } from '../../domain/support/change-requests'

const comment = { id: 1, text: 'why?', createdBy: personOf('ben'), createdAt: later }

describe('lastTouched(changeRequest)', () => {
  it.each([
    ['its own time', {}, noon],
    ['a change', { changes: [change(1, { createdAt: later }), change(2)] }, later],
    ['an approval', { approvals: [{ ...vote('ben'), createdAt: later }, vote('cleo')] }, later],
    ['a rejection', { rejections: [{ ...vote('ben'), createdAt: later }] }, later],
    ['a comment', { comments: [comment] }, later],
    ['a state', { stateTimestamps: { Draft: noon, 'In review': later } }, later],
  ])('is the newest of all times: %s', (_, properties, newest) => {
    expect(lastTouched(changeRequest(properties))).toBe(newest)
  })
})
