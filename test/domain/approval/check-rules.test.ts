import { problemInRules } from '../../../src/domain/approval/check-rules'

const rule = { name: 'payments owners', approvals: 1 }
const problem = (rules: unknown, hasFlags = true) => problemInRules(rules, { hasFlags })

describe('approvalRules', () => {
  it('can be empty, and can use every condition', () => {
    const when = {
      projects: ['shop'],
      environments: ['prod*'],
      actions: ['archiveFeature'],
      features: ['pay*'],
      segments: [4],
      tags: [{ type: 'team', value: 'payments' }],
    }
    const full = { ...rule, when, from: { groups: ['payments'], users: [7] } }
    const others = [{ name: 'others', approvals: 10, when: { segments: true, tags: undefined } }]
    expect(problem([])).toBe(undefined)
    expect(problem([full, ...others])).toBe(undefined)
  })

  it.each<[unknown, RegExp]>([
    [rule, /^must be a list of rules$/],
    [[null], /number 1 is none$/],
    [[rule, { ...rule, name: ' ' }], /that of number 2 is empty$/],
    [[rule, rule], /"payments owners": two have it$/],
    [[{ ...rule, name: 'minimum' }], /"minimum": it is taken$/],
    [[{ ...rule, aprovals: 1 }], /"payments owners", which has an unknown key "aprovals"$/],
    [[{ ...rule, approvals: 0 }], /"payments owners", whose approvals must be a whole number from 1 to 10$/],
    [[{ ...rule, approvals: 11 }], /whose approvals/],
    [[{ ...rule, approvals: 1.5 }], /whose approvals/],
    [[{ ...rule, when: [] }], /"payments owners", whose when must be an object$/],
    [[{ ...rule, when: { feature: ['a'] } }], /unknown key "when.feature"$/],
    [[{ ...rule, when: { toString: ['a'] } }], /unknown key "when.toString"$/],
    [[{ ...rule, when: { features: 'pay*' } }], /whose when.features must be a list of names$/],
    [[{ ...rule, when: { features: [] } }], /whose when.features must be a list of names$/],
    [[{ ...rule, when: { actions: ['archive'] } }], /whose when.actions must be a list of known actions$/],
    [[{ ...rule, when: { segments: ['4'] } }], /whose when.segments must be true, or a list of ids$/],
    [[{ ...rule, when: { tags: ['team:payments'] } }], /whose when.tags must be a list of tags/],
    [[{ ...rule, from: {} }], /whose from must name groups or users$/],
    [[{ ...rule, from: { groups: [''] } }], /whose from.groups must be a list of names$/],
    [[{ ...rule, from: { users: [0] } }], /whose from.users must be a list of ids$/],
  ])('%j is rejected with the rule and the error', (rules, expected) => {
    expect(problem(rules)).toMatch(expected)
  })

  it('can use tags only with a flag gateway', () => {
    const byTag = [{ ...rule, when: { tags: [{ type: 'team', value: 'payments' }] } }]
    expect([problem(byTag, true), problem(byTag, false)]).toEqual([
      undefined,
      'has the rule "payments owners", whose when.tags needs the option flags',
    ])
  })
})
