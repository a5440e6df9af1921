import { type ApplicableChange, unleashRules, type ValidationContext } from '../../src'
import type { Constraint } from '../../src/generated/index'

const context: ValidationContext = {
  when: 'propose',
  project: 'shop',
  environment: 'production',
  actor: { id: 1, username: 'ann' },
}
const rules = unleashRules()

/** What is wrong with the changes, as `path: message`. */
function problems(...changes: readonly object[]): string[] {
  const found = rules(changes as readonly ApplicableChange[], context) as readonly { path: string; message: string }[]
  return found.map(({ path, message }) => `${path}: ${message}`)
}

const change = (action: string, payload: object) => ({ id: null, action, feature: 'checkout', payload })
const strategy = (payload: object) =>
  change('addStrategy', { name: 'default', constraints: [], parameters: {}, ...payload })
const constraint = (part: Partial<Constraint>) =>
  strategy({ constraints: [{ contextName: 'country', operator: 'IN', values: ['NO'], ...part }] })
const single = (operator: Constraint['operator'], value: string) => constraint({ operator, value, values: [] })
const list = (length: number) => Array.from({ length }, (_, index) => `${index}`)

const values = '/body/0/payload/constraints/0/values'
const value = '/body/0/payload/constraints/0/value'

/** @see contract 4.4 */
describe('unleashRules()', () => {
  describe('constraints with values', () => {
    it.each(['IN', 'NOT_IN', 'STR_STARTS_WITH', 'STR_ENDS_WITH', 'STR_CONTAINS', 'IN_CIDR'] as const)(
      '%s needs at least one value',
      (operator) => {
        expect(problems(constraint({ operator, values: [] }))).toEqual([
          `${values}: ${operator} needs at least one value`,
        ])
        expect(problems(constraint({ operator, values: ['::1'] }))).toEqual([])
        expect(problems(strategy({ constraints: [{ contextName: 'a', operator }] }))).toEqual([
          `${values}: ${operator} needs at least one value`,
        ])
      },
    )

    it.each([
      ['250 values', list(250), []],
      ['251 values', list(251), [`${values}: a constraint can have at most 250 values, got 251`]],
      ['a value of 100 characters', ['😀'.repeat(100)], []],
      [
        'a value of 101 characters',
        ['a', 'x'.repeat(101)],
        [`${values}/1: a value must have 1 to 100 characters, got 101`],
      ],
      ['an empty value', [''], [`${values}/0: a value must have 1 to 100 characters, got 0`]],
    ])('%s', (_, given, expected) => {
      expect(problems(constraint({ values: given }))).toEqual(expected)
    })
  })

  describe('IN_CIDR', () => {
    it.each([
      ['10.0.0.0/8'],
      ['10.1.2.3'],
      ['0.0.0.0/0'],
      ['192.168.1.1/32'],
      ['2001:db8::/32'],
      ['::1'],
      ['::ffff:10.0.0.1/128'],
    ])('takes %s', (given) => {
      expect(problems(constraint({ operator: 'IN_CIDR', values: [given] }))).toEqual([])
    })

    it.each([
      ...[
        '10.0.0',
        '10.0.0.0/33',
        '10.0.0.0/-1',
        '10.0.0.0/08',
        '10.0.0.0/',
        '/8',
        '10.0.0.0/8/8',
        ' 10.0.0.0',
        '256.0.0.0',
      ],
      ...['2001:db8::/129', 'fe80::1%eth0', '10.0.0.0/1e1', 'example.com'],
    ])('rejects %j', (given) => {
      const message = `IN_CIDR needs IP addresses or ranges such as 10.0.0.0/8 or 2001:db8::/32, got ${JSON.stringify(given)}`
      expect(problems(constraint({ operator: 'IN_CIDR', values: ['::1', given] }))).toEqual([`${values}/1: ${message}`])
    })
  })

  describe('constraints with one value', () => {
    const number = 'a number'
    const date = 'a date such as 2026-03-04T12:00:00Z'
    const version = 'a version such as 1.2.3'

    it.each([
      ['NUM_EQ', '0'],
      ['NUM_GT', '-1.5'],
      ['NUM_GTE', '1e3'],
      ['NUM_LT', ' 7 '],
      ['NUM_LTE', '.5'],
      ['DATE_AFTER', '2026-03-04T12:00:00.000Z'],
      ['DATE_BEFORE', '2028-02-29'],
      ['DATE_BEFORE', '2026-03-04T12:00:00+02:00'],
      ['SEMVER_EQ', '1.2.3'],
      ['SEMVER_GT', '1.2.3-rc.1+build.5'],
      ['SEMVER_LT', '0.0.0'],
      ['SEMVER_GTE', '10.20.30'],
      ['SEMVER_LTE', '1.0.0-alpha'],
    ] as const)('%s takes %j', (operator, given) => {
      expect(problems(single(operator, given))).toEqual([])
    })

    it.each([
      ['NUM_EQ', 'seven', number],
      ['NUM_GT', '1,5', number],
      ['NUM_LT', '0x10', number],
      ['NUM_LTE', 'Infinity', number],
      ['NUM_GTE', '1e999', number],
      ['DATE_AFTER', 'tomorrow', date],
      ['DATE_AFTER', '2026-02-29', date],
      ['DATE_BEFORE', '2026-13-01', date],
      ['DATE_BEFORE', '2026-03-04T25:00:00Z', date],
      ['SEMVER_EQ', '1.2', version],
      ['SEMVER_EQ', 'v1.2.3', version],
      ['SEMVER_GT', '01.2.3', version],
      ['SEMVER_LT', '^1.2.3', version],
      ['SEMVER_GTE', '1.2.3-', version],
    ] as const)('%s rejects %j', (operator, given, kind) => {
      expect(problems(single(operator, given))).toEqual([`${value}: ${operator} needs ${kind}, got "${given}"`])
    })

    it.each(['NUM_EQ', 'DATE_AFTER', 'SEMVER_LTE', 'REGEX'] as const)('%s needs a value', (operator) => {
      expect(problems(single(operator, ''))).toEqual([`${value}: ${operator} needs a value`])
      expect(problems(constraint({ operator }))).toEqual([`${value}: ${operator} needs a value`])
    })

    it('does not look at values that it does not use', () => {
      expect(problems(constraint({ operator: 'NUM_EQ', value: '1', values: [''] }))).toEqual([])
    })

    it('shows a long value in part', () => {
      const [problem = ''] = problems(single('NUM_EQ', 'x'.repeat(100_000)))
      expect(problem).toMatch(/got "x{90}…"$/)
    })
  })

  describe('REGEX', () => {
    it.each(
      [
        '^a+b*?c{2,5}$',
        '(?i)hello|world',
        '(?P<year>\\d{4})-(?<month>\\d\\d)',
        '(?i:a)(?:b)(c)',
        '[[:alpha:]_-]+@[^[:space:]]+',
        '[]a]',
        '[^]a]',
        '[(?=]',
        '\\\\(?:x)',
        '\\p{L}\\pN\\P{Greek}',
        '\\Aabc\\z',
        '\\-\\_\\@\\/\\"',
        '{}',
        'a{,5}',
        ']',
        '\\x41\\x{1F600}',
        'a{1000}',
        '',
      ].filter((pattern) => pattern !== ''),
    )('takes %s', (pattern) => {
      expect(problems(single('REGEX', pattern))).toEqual([])
    })

    it.each([
      ['(', 'it does not compile'],
      ['[a', 'it does not compile'],
      ['a**', 'it does not compile'],
      ['(?P=name)', 'it does not compile'],
      ['(?#comment)', 'it does not compile'],
      ['[z-a]', 'it does not compile'],
      ['a\\', 'it does not compile'],
      ['(?=a)', 'look-around is not supported'],
      ['(?!a)', 'look-around is not supported'],
      ['(?<=a)b', 'look-around is not supported'],
      ['(?<!a)b', 'look-around is not supported'],
      ['(a)\\1', 'a back reference is not supported'],
      ['(?<n>a)\\k<n>', 'a back reference is not supported'],
      ['\\Qa.b\\E', '\\Q is not supported'],
      ['\\Z', '\\Z is not supported'],
      ['[[:nonsense:]]', '[:nonsense:] is not supported'],
      ['a{1001}', 'a repetition of more than 1000 is not supported'],
      ['a{1,1001}', 'a repetition of more than 1000 is not supported'],
    ])('rejects %s', (pattern, problem) => {
      expect(problems(single('REGEX', pattern))).toEqual([
        `${value}: REGEX needs an RE2 regular expression: ${problem}`,
      ])
    })

    it('cannot be inverted', () => {
      expect(problems(constraint({ operator: 'REGEX', value: 'a', inverted: true }))).toEqual([
        '/body/0/payload/constraints/0/inverted: REGEX cannot be inverted',
      ])
    })
  })

  describe('variants', () => {
    const variants = '/body/0/payload/variants'
    const blue = { name: 'blue', weight: 500, weightType: 'variable', stickiness: 'default' }
    const fixed = (name: string, weight: number) => ({ ...blue, name, weight, weightType: 'fix' })

    const share = (weight: number) =>
      'a weight must be a whole number of thousandths from 0 to 1000, because the shares of all variants must add up to ' +
      `exactly 1000; got ${weight}`

    it.each([333.29999999999995, 333.3, 0.5, 999.9999999999999, 1e-7, -1, 1001])('a weight of %d', (weight) => {
      for (const weightType of ['variable', 'fix']) {
        const given = [blue, { ...blue, name: 'red', weight, weightType }]
        const path = `${variants}/1/weight`
        expect(problems(change('patchVariant', { variants: given }))).toContain(`${path}: ${share(weight)}`)
        expect(problems(strategy({ variants: given }))).toContain(`${path}: ${share(weight)}`)
      }
    })

    it.each([
      ['none at all', [], []],
      ['weights of 0 and 1000', [{ ...blue, weight: 0 }, fixed('red', 1000), fixed('green', 0)], []],
      ['variable ones, whatever their weights', [blue, { ...blue, name: 'red', weight: 1 }], []],
      ['one without a weightType', [{ name: 'blue', weight: 0 }], []],
      ['fixed ones that leave nothing', [blue, fixed('red', 1000)], []],
      ['two of one name', [blue, blue], [`${variants}/1/name: names of variants must be unique; "blue" is used twice`]],
      [
        'fixed ones alone',
        [fixed('red', 1000)],
        [`${variants}: at least one variant must have the weightType variable`],
      ],
      [
        'fixed ones of more than 1000',
        [blue, fixed('red', 600), fixed('green', 401)],
        [`${variants}: the weights of fixed variants must add up to at most 1000, got 1001`],
      ],
      ['a payload that is JSON', [{ ...blue, payload: { type: 'json', value: '{"a":1}' } }], []],
      [
        'a payload that is not JSON',
        [{ ...blue, payload: { type: 'json', value: '{a:1}' } }],
        [`${variants}/0/payload/value: a payload of the type json must be valid JSON`],
      ],
      ['a text that is not JSON', [{ ...blue, payload: { type: 'string', value: '{a:1}' } }], []],
    ])('%s', (_, given, expected) => {
      expect(problems(change('patchVariant', { variants: given }))).toEqual(expected)
      expect(problems(strategy({ variants: given }))).toEqual(expected)
    })
  })

  describe('strategies', () => {
    const constraints = (length: number) =>
      list(length).map((name) => ({ contextName: name, operator: 'IN', values: ['a'] }))

    it.each([
      ['30 constraints and 5 segments', { constraints: constraints(30), segments: [1, 2, 3, 4, 5] }, []],
      [
        '31 constraints',
        { constraints: constraints(31) },
        ['/body/0/payload/constraints: a strategy can have at most 30 constraints, got 31'],
      ],
      [
        '6 segments',
        { segments: [1, 2, 3, 4, 5, 6] },
        ['/body/0/payload/segments: a strategy can have at most 5 segments, got 6'],
      ],
    ])('%s', (_, payload, expected) => {
      for (const action of ['addStrategy', 'updateStrategy', 'updateMilestoneStrategy']) {
        expect(problems(change(action, { id: 's1', ...payload }))).toEqual(expected)
      }
    })
  })

  describe('percentages', () => {
    const actions = ['addStrategy', 'updateStrategy', 'updateMilestoneStrategy'] as const
    const parameter = (name: string, given: unknown, type = 'flexibleRollout') =>
      actions.flatMap((action) => problems(change(action, { id: 's1', name: type, parameters: { [name]: given } })))

    it.each(['0', '1', '9', '10', '25', '99', '100'])('%j is one', (given) => {
      expect([...parameter('rollout', given), ...parameter('percentage', given)]).toEqual([])
    })

    it.each([
      ...['250', '101', '1000', 'abc', '50%', '', ' ', ' 5', '5 ', '5\n', '+5', '-5', '-0', '05', '00', '0100', '1e1'],
      ...['0x10', '5.0', '5.5', '5,5', '\u0665', '\uff15'],
    ])('%j is none', (given) => {
      for (const name of ['rollout', 'percentage']) {
        const message = `${name} must be the text of a whole number from 0 to 100, such as "25", got ${JSON.stringify(given)}`
        const expected = `/body/0/payload/parameters/${name}: ${message}`
        expect(parameter(name, given)).toEqual([expected, expected, expected])
      }
    })

    it('are checked in strategies of every type, each on its own', () => {
      expect(parameter('percentage', '101', 'gradualRolloutUserId')).toHaveLength(3)
      expect(parameter('rollout', '101', 'ourOwn')).toHaveLength(3)
      expect(problems(strategy({ parameters: { rollout: 'a', percentage: 'b', groupId: '250' } }))).toHaveLength(2)
      expect(problems(change('updateStrategy', { id: 's1', title: 'half' }))).toEqual([])
    })

    it.each([
      [50, '50'],
      [null, 'null'],
      [{ a: 1 }, '{"a":1}'],
    ])('from the gateway are texts, not %j', (given, described) => {
      const implied = strategy({ name: 'flexibleRollout', parameters: { rollout: given } })
      expect(problems(implied).map((problem) => problem.split(', got ')[1])).toEqual([described])
    })
  })

  it('a segment has the rules of constraints, and no limit of their number', () => {
    const all = list(31).map((name) => ({ contextName: name, operator: 'NUM_EQ', value: '1' }))
    const broken = [{ contextName: 'a', operator: 'NUM_EQ', value: 'x' }]
    expect(problems({ ...change('updateSegment', { id: 1, name: 'a', constraints: all }), feature: null })).toEqual([])
    expect(problems({ ...change('updateSegment', { id: 1, name: 'a', constraints: broken }), feature: null })).toEqual([
      `${value}: NUM_EQ needs a number, got "x"`,
    ])
  })

  it('a flag does not depend on itself', () => {
    expect(problems(change('addDependency', { feature: 'payments' }))).toEqual([])
    expect(problems(change('addDependency', { feature: 'checkout' }))).toEqual([
      '/body/0/payload/feature: a flag cannot depend on itself',
    ])
  })

  it('names each change by its position, and has nothing against other actions', () => {
    const enable = change('updateEnabled', { enabled: true })
    expect(problems(enable, enable, enable, constraint({ values: [] }))).toEqual([
      '/body/3/payload/constraints/0/values: IN needs at least one value',
    ])
  })
})
