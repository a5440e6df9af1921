import {
  approvalCountText,
  isApprovalCount,
  problemInRules,
  toApprovalCount,
} from '../../../src/domain/approval/check-rules'

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
    [[null], /item 1 is not an object$/],
    [[rule, { ...rule, name: ' ' }], /rule 2 has none$/],
    [[rule, rule], /"payments owners" is used twice$/],
    [[{ ...rule, name: 'minimum' }], /"minimum": this name is reserved$/],
    [[{ ...rule, aprovals: 1 }], /"payments owners": unknown key "aprovals"$/],
    [[{ ...rule, approvals: 0 }], /"payments owners": approvals must be a whole number from 1 to 10$/],
    [[{ ...rule, approvals: 11 }], /: approvals/],
    [[{ ...rule, approvals: 1.5 }], /: approvals/],
    [[{ ...rule, when: [] }], /"payments owners": when must be an object$/],
    [[{ ...rule, when: { feature: ['a'] } }], /unknown key "when.feature"$/],
    [[{ ...rule, when: { toString: ['a'] } }], /unknown key "when.toString"$/],
    [[{ ...rule, when: { features: 'pay*' } }], /: when.features must be a list of names$/],
    [[{ ...rule, when: { features: [] } }], /: when.features must be a list of names$/],
    [[{ ...rule, when: { actions: ['archive'] } }], /: when.actions must be a list of known actions$/],
    [[{ ...rule, when: { segments: ['4'] } }], /: when.segments must be true, or a list of ids$/],
    [[{ ...rule, when: { tags: ['team:payments'] } }], /: when.tags must be a list of tags/],
    [[{ ...rule, from: {} }], /: from must name groups or users$/],
    [[{ ...rule, from: { groups: [''] } }], /: from.groups must be a list of names$/],
    [[{ ...rule, from: { users: [0] } }], /: from.users must be a list of ids$/],
  ])('%j is rejected with the rule and the error', (rules, expected) => {
    expect(problem(rules)).toMatch(expected)
  })

  it('can use tags only with a flag gateway', () => {
    const byTag = [{ ...rule, when: { tags: [{ type: 'team', value: 'payments' }] } }]
    expect([problem(byTag, true), problem(byTag, false)]).toEqual([
      undefined,
      'has an invalid rule "payments owners": when.tags needs the option flags',
    ])
  })
})

describe('the number of approvals', () => {
  it.each([
    [0, false, 1],
    [1, true, 1],
    [2.5, false, 2.5],
    [10, true, 10],
    [11, false, 10],
    [-1, false, 1],
  ])('%d can be required: %s; the nearest is %d', (value, expected, nearest) => {
    expect(isApprovalCount(value)).toBe(expected)
    expect(toApprovalCount(value)).toBe(nearest)
  })

  it('is no text', () => {
    expect(isApprovalCount('1')).toBe(false)
  })

  it('is described', () => {
    expect(approvalCountText).toBe('a whole number from 1 to 10')
  })
})
