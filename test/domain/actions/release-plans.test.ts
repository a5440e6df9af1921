import { definitionOf } from '../../../src/domain/actions/table'
import { conflictOf, feature, present, s1, testActions, testInverses } from '../support/action-rows'

const ofPlan = { target: 'release plan', scope: 'environment', stage: 'change' } as const
const ofMilestone = { target: 'milestone', scope: 'environment', stage: 'change' } as const
const planGone = 'Release plan has been deleted'
const milestoneGone = 'Milestone has been deleted'
const m1 = { id: 'm1' }
const p1 = { id: 'p1' }

describe('the actions of release plans', () => {
  testActions([
    {
      action: 'addReleasePlan',
      payload: { templateId: 'p0' },
      is: ofPlan,
      part: null,
      other: [{}, null],
      isAlwaysKnown: true,
    },
    {
      action: 'startMilestone',
      payload: { planId: 'p1', milestoneId: 'm1' },
      is: ofMilestone,
      conflict: planGone,
      part: m1,
      other: [{ milestoneId: 'm9' }, null],
    },
    {
      action: 'deleteReleasePlan',
      payload: { planId: 'p1' },
      is: ofPlan,
      conflict: planGone,
      part: p1,
      other: [{ planId: 'p9' }, null],
    },
    {
      action: 'changeMilestoneProgression',
      payload: { sourceMilestone: 'm1', targetMilestone: 'm2' },
      is: ofMilestone,
      conflict: milestoneGone,
      part: m1,
      other: [{ sourceMilestone: 'm9' }, null],
    },
    {
      action: 'deleteMilestoneProgression',
      payload: { sourceMilestone: 'm1' },
      is: ofMilestone,
      conflict: milestoneGone,
      part: m1,
      other: [{ sourceMilestone: 'm9' }, null],
    },
    {
      action: 'resumeMilestoneProgression',
      payload: { planId: 'p1' },
      is: ofMilestone,
      conflict: planGone,
      part: p1,
      other: [{ planId: 'p9' }, null],
    },
    {
      action: 'updateMilestoneStrategy',
      payload: { id: 's1' },
      is: { target: 'strategy', scope: 'environment', stage: 'change' },
      conflict: 'Strategy has been deleted',
      snapshot: s1,
      part: s1,
      other: [{ id: 's9' }, null],
    },
  ])
  testInverses([['updateMilestoneStrategy', { id: 's1', title: 'some', disabled: true }]])

  it('start a milestone of an existing plan only if the milestone exists, too', () => {
    const start = { action: 'startMilestone', feature, payload: { planId: 'p1', milestoneId: 'm2' } } as const
    expect(conflictOf(start, present)).toBe(milestoneGone)
  })

  it('start a milestone with its strategies, as far as they are known', () => {
    const { withPart, targetPart } = definitionOf({ action: 'startMilestone' })
    const payload = { planId: 'p1', milestoneId: 'm1' }
    const part = { id: 'm1', strategies: [{ ...s1, milestoneId: 'm1' }] }
    const flag = { archived: false, enabled: false, milestoneStrategies: [{ ...s1, id: 's2', milestoneId: 'm2' }] }
    expect(targetPart(payload, withPart(payload, part, flag))).toEqual(part)
  })

  it('delete the added one, by the id that the gateway returned', () => {
    const { inverse } = definitionOf({ action: 'addReleasePlan' })
    expect(inverse?.({}, { created: 'x' })).toEqual([{ action: 'deleteReleasePlan', payload: { planId: 'x' } }])
    expect(inverse?.({}, {})).toBeUndefined()
  })
})
