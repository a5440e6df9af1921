import {
  approvalCountText,
  isApprovalCount,
  problemInRules,
  toApprovalCount,
} from '../../../src/domain/approval/check-rules'

const rule = { name: 'payments owners', approvals: 1 }
const withField = (field: object) => ({ ...rule, when: { fields: [field] } })
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
      authors: ['agent'],
      fields: [
        { path: '/parameters/rollout', by: 0, above: -1, below: 100.5 },
        { path: '/segments' },
        { path: '/title/x' },
      ],
    }
    const full = { ...rule, when, from: { groups: ['payments'], users: [7] } }
    const others = [
      { name: 'others', mode: 'trial', approvals: { aboveMinimum: 9 }, when: { segments: true, tags: undefined } },
    ]
    expect(problem([])).toBe(undefined)
    expect(problem([full, ...others])).toBe(undefined)
    expect(problem([{ ...rule, mode: 'enforce', when: { segments: true } }], false)).toBe(undefined)
  })

  it.each<[unknown, RegExp]>([
    [rule, /^must be a list of rules$/],
    [[null], /item 1 is not an object$/],
    [[rule, { ...rule, name: ' ' }], /rule 2 has none$/],
    [[rule, rule], /"payments owners" is used twice$/],
    [[{ ...rule, name: 'minimum' }], /"minimum": this name is reserved$/],
    [[{ ...rule, aprovals: 1 }], /"payments owners": unknown key "aprovals"$/],
    [
      [{ ...rule, approvals: 0 }],
      /"payments owners": approvals must be a whole number from 1 to 10, or { aboveMinimum: a whole number from 1 to 9 }$/,
    ],
    ...[{ aboveMinimum: 0 }, { aboveMinimum: 10 }, { aboveMinimum: 1.5 }, {}, { aboveMinimum: 1, more: 1 }, null].map(
      (approvals): [unknown, RegExp] => [[{ ...rule, approvals }], /: approvals/],
    ),
    [[{ ...rule, mode: 'off' }], /"payments owners": mode must be "enforce" or "trial"$/],
    [[{ ...rule, when: { fields: [] } }], /: when.fields must be a list of fields such as/],
    [[{ ...rule, when: { fields: ['/enabled'] } }], /: when.fields must be a list of fields such as/],
    [[withField({})], /: when.fields\[0\].path must be a JSON pointer such as "\/parameters\/rollout"$/],
    ...['', 'enabled', '/a//b', '/a~2', 7].map((path): [unknown, RegExp] => [
      [withField({ path })],
      /: when.fields\[0\].path must be a JSON pointer/,
    ]),
    [
      [{ ...rule, when: { fields: [{ path: '/enabled' }, { path: 'enabled' }] } }],
      /: when.fields\[1\].path must be a JSON pointer/,
    ],
    ...[{ type: 'team' }, { type: ' ', value: 'a' }, { type: 'team', value: 'a', more: 1 }, 'team:a', null].map(
      (tag): [unknown, RegExp] => [[{ ...rule, when: { tags: [tag] } }], /: when.tags must be a list of tags such as/],
    ),
    [[{ ...rule, when: { features: ['checkout', 7] } }], /: when.features must be a list of names$/],
    [[withField({ path: '/enabled', over: 1 })], /: unknown key "when.fields\[0\].over"$/],
    [
      [withField({ path: '/parameters/rollout', by: -1 })],
      /: when.fields\[0\].by must be a number that is at least 0$/,
    ],
    [[withField({ path: '/parameters/rollout', above: '5' })], /: when.fields\[0\].above must be a number$/],
    [[withField({ path: '/parameters/rollout', below: Number.NaN })], /: when.fields\[0\].below must be a number$/],
    [
      [withField({ path: '/constraints/0/values' })],
      /: when.fields\[0\].path leads into a list whose elements have no names; use "\/constraints"$/,
    ],
    [[withField({ path: '/variants/*/overrides/0' })], /have no names; use "\/variants\/\*\/overrides"$/],
    [[withField({ path: '/dependencies/login/variants/blue' })], /use "\/dependencies\/login\/variants"$/],
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
