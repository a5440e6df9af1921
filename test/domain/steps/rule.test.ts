import { type Facts, wellFormedCall } from '../../../src/domain/steps/facts'
import { findingsOf, rule } from '../../../src/domain/steps/rule'
import {
  type CallFactsOf,
  type FactsOf,
  missingFor,
  type RuleFactsOf,
  requireCaller,
  requireStep,
  type Step,
} from '../../../src/domain/steps/steps'
import { changeRequest, facts, vote } from '../support/change-requests'

const approved = changeRequest({ state: 'Approved', approvals: [vote('ben'), vote('cleo')] })
const { conflicts, userId, ...others } = facts('ann')

/** The optional facts of `Of`; never if all are required. */
type Optional<Of> = { [fact in keyof Of]-?: Omit<Of, fact> extends Of ? fact : never }[keyof Of]
type OptionalIn<Given extends { [step in Step]: unknown }> = { [step in Step]: Optional<Given[step]> }[Step]

describe('a rule', () => {
  it('reads the facts that it names', () => {
    const noConflicts = rule(['conflicts'], (_, given) =>
      given.conflicts.map((message) => ({ code: 'conflict', message })),
    )
    expect(noConflicts.needs).toEqual(['conflicts'])
    expect(findingsOf(noConflicts, approved, { conflicts: ['gone'] })).toEqual([{ code: 'conflict', message: 'gone' }])
    expect(findingsOf(noConflicts, approved, { conflicts })).toEqual([])
  })

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

  it('is checked without the facts that its rules do not need', () => {
    const { CREATE_CHANGE_REQUEST, revision, options } = facts('ann')
    const draft = changeRequest({ state: 'Draft' })
    expect(missingFor('discard', draft, { CREATE_CHANGE_REQUEST, userId, revision, options }, {})).toEqual([])
  })

  it('has no optional fact', () => {
    const areRequired: readonly [true, true, true] = [
      true satisfies [OptionalIn<{ [step in Step]: RuleFactsOf<step> }>] extends [never] ? true : false,
      true satisfies [OptionalIn<{ [step in Step]: CallFactsOf<step> }>] extends [never] ? true : false,
      true satisfies [OptionalIn<{ [step in Step]: FactsOf<step> }>] extends [never] ? true : false,
    ]
    expect(areRequired).toEqual([true, true, true])
  })
})
