import { unleashRules } from '../../src'
import { problemOfRegex } from '../../src/unleash-rules/regex'
import { growth, linear } from '../support/cost'

/** Beyond RE2: what a pattern may have. */
describe('a pattern of REGEX', () => {
  it.each([
    ['1,000 characters', 'a'.repeat(1000)],
    ['1,000 characters of two units', '😀'.repeat(1000)],
    ['50 nested groups', `${'('.repeat(50)}a${')'.repeat(50)}`],
    ['nested repetitions of 1,000', '(?:(?:a{10}){10}){10}'],
    ['a repetition without an end in others', '(?:a{1000,})*?'],
    ['repetitions of 1,000 next to each other', 'a{1000}b{1000}'],
    ['repetitions of zero', '(?:a{0}){1000}'],
    ['repeated assertions, as in RE2', '^*\\b+$?'],
    ['a brace that is no repetition', 'a{1000001x}{01}{'],
    ['an empty alternative', '(a|)|'],
    ['a range of escapes', '[\\x{1F600}-\\x{1F64F}\\t-\\r+--]'],
    ['a minus next to a class', '[\\d-z-]'],
    ['flags', '(?i)(?s-U:a)(?-m)b'],
  ])('may have %s', (_, pattern) => {
    expect(problemOfRegex(pattern)).toBeUndefined()
  })

  const total = 'nested repetitions of more than 1000 in total are not supported'

  it.each([
    ['a'.repeat(1001), 'more than 1000 characters are not supported'],
    ['\\p{L}'.repeat(16_000), 'more than 1000 characters are not supported'],
    ['😀'.repeat(1001), 'more than 1000 characters are not supported'],
    [`${'('.repeat(51)}a${')'.repeat(51)}`, 'more than 50 nested groups are not supported'],
    ['(?:a{1000}){1000}', total],
    ['(?:a{2}){501}', total],
    ['(?:(?:a{500,}|b)+){3}', total],
    ['((((a{10}b){10}){10}){2})', total],
    ['x{0,100000}', 'a repetition of more than 1000 is not supported'],
    [`x{1,${'9'.repeat(400)}}`, 'a repetition of more than 1000 is not supported'],
    [`x{${'9'.repeat(400)},}`, 'a repetition of more than 1000 is not supported'],
    ['a{5,2}', 'it does not compile'],
    ['a{2}{3}', 'it does not compile'],
    ['a*??', 'it does not compile'],
    ['*a', 'it does not compile'],
    ['a|+', 'it does not compile'],
    ['(?i)*', 'it does not compile'],
    ['(a))', 'it does not compile'],
    ['(?>a)', 'it does not compile'],
    ['(?<n>a)(?P<n>b)', 'it does not compile'],
    ['[a-\\d]', 'it does not compile'],
    ['[\\x{1F64F}-\\x{1F600}]', 'it does not compile'],
    ['[\\t-\\a]', 'it does not compile'],
    ['[]', 'it does not compile'],
    ['\\x{110000}', 'it does not compile'],
    ['\\x4', 'it does not compile'],
    ['\\p{Klingon}', '\\p{Klingon} is not supported'],
    ['\\p{Grek}', '\\p{Grek} is not supported'],
    ['\\p{L', '\\p is not supported'],
    ['\\pX', '\\pX is not supported'],
    ['[\\b]', '\\b is not supported'],
    ['\\0', '\\0 is not supported'],
    ['\\é', '\\é is not supported'],
    ['\\C', '\\C is not supported'],
    [`\\p{${'a'.repeat(500)}}`, `\\p{${'a'.repeat(47)} is not supported`],
  ])('cannot be %j: %s', (pattern, problem) => {
    expect(problemOfRegex(pattern)).toBe(problem)
  })

  it('has the names of categories and scripts that JavaScript has', () => {
    const names = ['L', 'Lu', 'Greek', 'Old_Hungarian', 'Yi', 'Nko', 'SignWriting']
    for (const name of names) {
      expect(problemOfRegex(`\\p{${name}}\\P{^${name}}`)).toBeUndefined()
      expect(() => new RegExp(`\\p{${name.length < 3 && name !== 'Yi' ? name : `Script=${name}`}}`, 'u')).not.toThrow()
    }
  })
})

/** The costs are compared within one run: eight times the text takes about eight times the work. */
describe('the time of a check is in proportion to the body', () => {
  const context = {
    when: 'propose',
    project: 'shop',
    environment: 'production',
    actor: { id: 1, username: 'ann' },
  } as const
  const checking = (action: string, payload: object) => () =>
    unleashRules()([{ id: null, action, feature: 'checkout', payload }] as never, context)
  /** A strategy with that number of characters in patterns. */
  const patternsOf = (part: string) => (size: number) => {
    const constraints = Array.from({ length: Math.ceil(size / 1000) }, (_, index) => {
      return { contextName: 'email', operator: 'REGEX', value: `${index}${part.repeat(990 / part.length)}` }
    })
    return checking('addStrategy', { name: 'default', constraints, parameters: {} })
  }
  const textOf = (operator: string, text: string) => (size: number) => {
    const value = `${text.repeat(size)}x`
    const compared = operator === 'IN_CIDR' ? { values: [value] } : { value }
    return checking('updateSegment', { id: 4, name: 'a', constraints: [{ contextName: 'a', operator, ...compared }] })
  }

  it.each(['\\p{L}', '(a|b|c|)', '[[:', '{1', '(?P<n', '\\x{', '[a-z]|'])('for patterns of %s', (part) => {
    expect(growth(patternsOf(part), 100_000 / 8)).toBeLessThan(linear)
  })

  it.each([
    ['NUM_EQ', '1'],
    ['NUM_EQ', '1.'],
    ['DATE_AFTER', '2026-03-04T12:00:00.1'],
    ['SEMVER_EQ', '1.'],
    ['IN_CIDR', '1.'],
    ['IN_CIDR', ':1/'],
  ])('for %s with many %j', (operator, text) => {
    expect(growth(textOf(operator, text), 12_500)).toBeLessThan(linear)
  })

  it('for names of variants', () => {
    const named = (size: number) => {
      const variants = Array.from({ length: size }, (_, index) => ({ name: `${index}`, weight: 1 }))
      return checking('patchVariant', { variants })
    }
    expect(growth(named, 500)).toBeLessThan(linear)
  })

  it('for patterns, because none is compiled: 100 kB of \\p{L} take less time than a tenth of it that is', () => {
    const spent = (work: () => unknown) => {
      const before = process.cpuUsage()
      work()
      const { user, system } = process.cpuUsage(before)
      return user + system
    }
    const check = patternsOf('\\p{L}')(100_000)
    spent(check)
    const compiled = spent(() => new RegExp('\\p{L}'.repeat(2_000), 'u').test('a'))
    expect(spent(check)).toBeLessThan(compiled)
  })
})
