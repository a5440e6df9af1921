import { problemInChecks } from '../../../src/domain/checks/problem-in-checks'

const ci = { name: 'ci' }
const problem = (checks: unknown, hasFlags = true) => problemInChecks(checks, { hasFlags })
const numbered = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `check-${index}` }))

describe('checks', () => {
  it('can be empty, at most 20, and can use every key', () => {
    const when = { environments: ['prod*'], tags: [{ type: 'data', value: 'pii' }] }
    const full = { ...ci, description: 'Smoke tests', when, required: false, from: { users: [7] }, byAuthor: true }
    for (const checks of [[], [full, { name: 'a'.repeat(50) }], numbered(20)]) expect(problem(checks)).toBe(undefined)
  })

  it.each<[unknown, RegExp]>([
    [ci, /^must be a list of checks$/],
    [[null], /item 1 is not an object$/],
    [[{}], /check 1 has none$/],
    [[{ name: 'CI' }], /"CI": name must have 1 to 50 characters a-z, 0-9 and -$/],
    [[{ name: 'a'.repeat(51) }], /: name must have 1 to 50 characters/],
    [[{ name: 'ci\n' }], /: name must have 1 to 50 characters/],
    [[ci, ci], /"ci" is used twice$/],
    [[{ ...ci, requird: true }], /"ci": unknown key "requird"$/],
    [[{ ...ci, required: 'yes' }], /"ci": required must be a boolean$/],
    [[{ ...ci, byAuthor: 1 }], /"ci": byAuthor must be a boolean$/],
    [[{ ...ci, description: ' ' }], /"ci": description must be a text of at most 200 characters$/],
    [[{ ...ci, description: 'a'.repeat(201) }], /: description must be a text/],
    [[{ ...ci, when: { feature: ['a'] } }], /unknown key "when.feature"$/],
    [[{ ...ci, from: {} }], /: from must name groups or users$/],
  ])('%j is rejected with the check and the error', (checks, expected) => {
    expect(problem(checks)).toMatch(expected)
  })

  it('are at most 20', () => {
    expect(problem(numbered(21))).toBe('must have at most 20 checks')
  })

  it('can use tags only with a flag gateway', () => {
    expect(problem([{ ...ci, when: { tags: [{ type: 'data', value: 'pii' }] } }], false)).toMatch(
      /when.tags needs the option flags$/,
    )
  })
})
