import { withinLimits } from '../../../src/domain/steps/content-rules'
import { checksPassed } from '../../../src/domain/steps/report-rules'
import { notBeingApplied, notFrozen } from '../../../src/domain/steps/state-rules'
import { type StepDefinition, stepTable } from '../../../src/domain/steps/table'

const rulesOf = ({ input, state }: StepDefinition) => [...input, ...state]

describe('the rules of the steps', () => {
  it('are the same for an apply by a user and by a schedule, except those that concern only a request or an attempt, and freezes', () => {
    // A freeze holds a schedule.
    const ofRequests: readonly unknown[] = [withinLimits, notBeingApplied, notFrozen]
    const byUser = rulesOf(stepTable.apply).filter((rule) => !ofRequests.includes(rule))
    expect(rulesOf(stepTable.applyScheduled)).toEqual(byUser)
  })

  it('of a schedule include those of its apply, except for the start state, and checks, which may pass until then', () => {
    const missing = rulesOf(stepTable.applyScheduled).filter((rule) => !rulesOf(stepTable.schedule).includes(rule))
    expect(missing).toEqual([stepTable.applyScheduled.state[0], checksPassed])
  })
})
