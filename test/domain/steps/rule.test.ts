import { type Facts, wellFormedCall } from '../../../src/domain/steps/facts'
import { rule } from '../../../src/domain/steps/rule'
import { missingFor, requireCaller, requireStep } from '../../../src/domain/steps/steps'
import { changeRequest, facts, vote } from '../support/change-requests'

const approved = changeRequest({ state: 'Approved', approvals: [vote('ben'), vote('cleo')] })
const { conflicts, userId, ...others } = facts('ann')

describe('a rule', () => {
  it('does not compile if it reads a fact that it does not name', () => {
    const planted = [
      // @ts-expect-error: it names the conflicts alone
      rule(['conflicts'], (_, { overwrites }) => overwrites.map((message) => ({ code: 'overwrite', message }))),
      // @ts-expect-error: it names none
      rule([], (_, { conflicts: found }) => found.map((message: string) => ({ code: 'conflict', message }))),
    ]
    for (const { check } of planted) expect(() => check(approved, {} as Facts)).toThrow(TypeError)
    // @ts-expect-error: there is no such fact
    expect(rule(['moon'], () => undefined).needs).toEqual(['moon'])
  })
})

describe('a step', () => {
  it('is not checked without a fact that its rules need: that does not compile', () => {
    // @ts-expect-error: the conflicts are missing
    expect(() => missingFor('apply', approved, { ...others, userId }, wellFormedCall)).toThrow(TypeError)
    // @ts-expect-error: the conflicts are missing
    expect(() => requireStep('apply', approved, { ...others, userId }, wellFormedCall)).toThrow(TypeError)
    // @ts-expect-error: the user id is missing
    expect(() => requireCaller('submit', approved, { ...others, conflicts })).toThrow('Only the author')
    // @ts-expect-error: the call says nothing of what the changes overwrite
    expect(() => requireStep('rebase', approved, facts('ann'), { excess: undefined, leavesNone: false })).toThrow(
      TypeError,
    )
  })
})
