import fc from 'fast-check'
import type { ApprovalRule } from '../../../src/domain/approval/approval-rule'
import type { Change } from '../../../src/domain/change-request'
import { matchesName } from '../../../src/domain/content/name-pattern'
import { matchingRules, rulesIn } from '../../../src/domain/rules/condition'
import { random } from '../../support/random'
import { change, changeRequest, flags, personOf } from '../support/change-requests'

const of = (when?: ApprovalRule['when']): ApprovalRule => ({ name: 'owners', approvals: 1, ...(when && { when }) })
const archive: Change = change(3, { action: 'archiveFeature', feature: 'payment-form', payload: {} })
const segment: Change = change(4, { action: 'updateSegment', feature: null, payload: { id: 4, name: 'beta' } })
const tagged = flags({ tags: [{ type: 'team', value: 'payments' }] })
const tag = (value: string) => [{ type: 'team', value }]

/** A change request in shop, production that switches `checkout` (tagged), archives `payment-form` and edits segment 4. */
const current = changeRequest({ changes: [change(1), archive, segment] })

describe('a rule matches a change request', () => {
  it.each<[string, ApprovalRule['when'], boolean]>([
    ['without conditions', undefined, true],
    ['with none of them given', {}, true],
    ['of its project', { projects: ['blog', 'shop'] }, true],
    ['of another project', { projects: ['blog'] }, false],
    ['of a project by a pattern', { projects: ['sh*'] }, true],
    ['of its environment', { environments: ['production'] }, true],
    ['of another environment', { environments: ['development'] }, false],
    ['of its project in another environment', { projects: ['shop'], environments: ['development'] }, false],
    ['by an action of a change', { actions: ['archiveFeature'] }, true],
    ['by no action of a change', { actions: ['deleteStrategy'] }, false],
    ['by a flag', { features: ['checkout'] }, true],
    ['by a part of the name of a flag', { features: ['check'] }, false],
    ['by a pattern of a flag', { features: ['pay*'] }, true],
    ['by a segment', { segments: [4] }, true],
    ['by another segment', { segments: [5] }, false],
    ['by any segment', { segments: true }, true],
    ['by a flag or a segment', { features: ['search'], segments: [4] }, true],
    ['by neither a flag nor a segment', { features: ['search'], segments: [5] }, false],
    ['by one change that fits all', { actions: ['archiveFeature'], features: ['pay*'] }, true],
    ['by no single change that fits all', { actions: ['archiveFeature'], features: ['checkout'] }, false],
    ['by a tag of a flag', { tags: tag('payments') }, true],
    ['by another tag', { tags: tag('search') }, false],
    ['by one of several tags', { tags: [...tag('search'), ...tag('payments')] }, true],
    ['by a tag of another flag than the one it names', { features: ['pay*'], tags: tag('payments') }, false],
    ['by a tag, of which segments have none', { segments: true, tags: tag('payments') }, false],
    ['by a person who added a change', { authors: ['agent', 'person'] }, true],
    ['by no machine that added one', { authors: ['agent', 'service'] }, false],
  ])('%s: %j is %s', (_, when, expected) => {
    expect(matchingRules(rulesIn([of(when)], current), current, tagged).length === 1).toBe(expected)
  })

  it('by no tag while the flags are unknown', () => {
    expect(matchingRules([of({ tags: tag('payments') })], current, undefined)).toEqual([])
  })

  it('by the kind of a machine that added a change', () => {
    const byAgent = changeRequest({ changes: [change(1, { createdBy: { ...personOf('ann'), kind: 'agent' } })] })
    const kinds = ['agent', 'service', 'person'] as const
    expect(kinds.map((kind) => matchingRules([of({ authors: [kind] })], byAgent, undefined).length)).toEqual([1, 0, 0])
  })

  it('without changes only if none of its conditions is on changes', () => {
    const empty = changeRequest({ changes: [] })
    const rules = [of({ projects: ['shop'] }), of({ features: ['*'], tags: undefined } as never)]
    expect(matchingRules(rules, empty, tagged)).toEqual([{ ...rules[0], because: [] }])
  })

  it('also by the type of a tag', () => {
    expect(matchingRules([of({ tags: [{ type: 'owner', value: 'payments' }] })], current, tagged)).toEqual([])
  })
})

describe('rulesIn(rules, place)', () => {
  it('returns those of the environment, for any changes', () => {
    const here = of({ projects: ['*'], environments: ['prod*'], features: ['nothing'] })
    const elsewhere = of({ environments: ['development'] })
    expect(rulesIn([here, elsewhere], { project: 'shop', environment: 'production' })).toEqual([here])
  })
})

const anyPattern = fc.array(fc.constantFrom('a', 'b', 'ab', '.', '*'), { maxLength: 6 }).map((all) => all.join(''))
const anyName = fc.array(fc.constantFrom('a', 'b', '.'), { maxLength: 8 }).map((all) => all.join(''))

describe('matchesName(pattern, name)', () => {
  it.each([
    ['pay*', 'payments', true],
    ['pay*', 'pay', true],
    ['pay*', 'repay', false],
    ['pay', 'pay*', false],
    ['payments', 'pay*', false],
    ['pay*', 'pay*', true],
    ['*', '*', true],
    ['a.c', 'abc', false],
    ['a/%', 'a/_', false],
    ['*pay', 'repay', true],
    ['a*a', 'a', false],
    ['a*b*c', 'aXbYc', true],
    ['a*b*c', 'acb', false],
    ['*', '', true],
    ['pay.', 'payX', false],
  ])('%s for %s is %s', (pattern, given, expected) => {
    expect(matchesName(pattern, given)).toBe(expected)
  })

  it('is the same as a regular expression in which * is any text', () => {
    const byExpression = (pattern: string) => new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`)
    fc.assert(
      fc.property(anyPattern, anyName, (pattern, given) => {
        expect(matchesName(pattern, given)).toBe(byExpression(pattern).test(given))
      }),
      random(300),
    )
  })
})
