import fc from 'fast-check'
import { matchesName } from '../../../src/domain/approval/name-pattern'
import { random } from '../../support/random'

const parts = fc.array(fc.constantFrom('a', 'b', 'ab', '.', '*'), { maxLength: 6 }).map((all) => all.join(''))
const name = fc.array(fc.constantFrom('a', 'b', '.'), { maxLength: 8 }).map((all) => all.join(''))

describe('matchesName(pattern, name)', () => {
  it.each([
    ['pay*', 'payments', true],
    ['pay*', 'pay', true],
    ['pay*', 'repay', false],
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
      fc.property(parts, name, (pattern, given) => {
        expect(matchesName(pattern, given)).toBe(byExpression(pattern).test(given))
      }),
      random(2_000),
    )
  })
})
