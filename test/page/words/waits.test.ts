import { expiryWords, isMet, isMissing } from '../../../src/page/app/words/waits'

const at = '2026-11-20T10:00:00.000Z'
const shown = (moment: string) => `at ${moment.slice(11, 16)}`

describe('when approvals of a requirement expire', () => {
  it.each([
    ['', {}],
    ['', { expired: 0, expiresAt: null }],
    ['The first approval expires at 10:00.', { expired: 0, expiresAt: at }],
    ['1 approval has expired. The next one expires at 10:00.', { expired: 1, expiresAt: at }],
    ['2 approvals have expired.', { expired: 2, expiresAt: null }],
  ])('reads “%s”', (words, requirement) => {
    expect(expiryWords(requirement, shown)).toBe(words)
  })
})

describe('a requirement', () => {
  it.each([
    [false, true, { mode: 'enforce', given: 0 }],
    [false, true, { given: null }],
    [true, false, { mode: 'enforce', given: 2 }],
    [false, false, { mode: 'trial', given: 0 }],
  ] as const)('is met: %s, and missing: %s, with %j', (met, missing, more) => {
    const requirement = { name: 'owners', approvals: 2, ...more }
    expect([isMet(requirement), isMissing(requirement)]).toEqual([met, missing])
  })
})
