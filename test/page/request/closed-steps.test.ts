import type { ReviewView, StepName } from '../../../src/generated'
import { hasClosedSteps, isUnusual } from '../../../src/page/app/screens/request/review'

function reviewOf(state: ReviewView['state'], ...allowed: readonly StepName[]) {
  return {
    state,
    changes: [],
    customFields: null,
    copiedFrom: null,
    presetSchedule: null,
    emergency: null,
    revertedBy: null,
    freezes: { now: [], scheduled: [] },
    changeRequest: {},
    steps: allowed.map((step) => ({ step, allowed: true, offered: true, missing: [] })),
  } as unknown as ReviewView
}

describe('the steps of a closed change request', () => {
  it.each<[boolean, string, ReviewView]>([
    [true, 'once it is closed', reviewOf('Rejected')],
    // The state is the stored one, the steps are those after the apply is settled.
    [true, 'while an apply that succeeded is not settled', reviewOf('Approved', 'revert', 'copy')],
    [true, 'while an emergency that succeeded is not settled', reviewOf('In review', 'acknowledge')],
    [false, 'not while it is open', reviewOf('Approved', 'apply', 'schedule')],
  ])('%s: %s', (isShown, _, review) => {
    expect([hasClosedSteps(review), isUnusual(review)]).toEqual([isShown, isShown])
  })
})
