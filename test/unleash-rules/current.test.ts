import { type ApplicableChange, unleashRules, type ValidationContext } from '../../src'

type Part = Readonly<Record<string, unknown>>

const rules = unleashRules()

/** What is wrong with a payload for a target that has this part. */
function problems(action: string, payload: Part, current?: Part | null): string[] {
  const context: ValidationContext = {
    when: 'propose',
    project: 'shop',
    environment: 'production',
    actor: { id: 1, username: 'ann' },
    ...(current !== undefined && { current: [current] as NonNullable<ValidationContext['current']> }),
  }
  const changes = [
    { id: null, action, feature: 'checkout', payload },
  ] as readonly object[] as readonly ApplicableChange[]
  const found = rules(changes, context) as readonly { path: string; message: string }[]
  return found.map(({ path, message }) => `${path.replace('/body/0/payload', '')}: ${message}`)
}

const constraint = (part: Part) => ({ contextName: 'country', operator: 'IN', values: ['NO'], ...part })
const single = (operator: string, value: string, part: Part = {}) => ({
  contextName: 'version',
  operator,
  value,
  ...part,
})
const list = (length: number, prefix = '') => Array.from({ length }, (_, index) => `${prefix}${index}`)
const many = list(300)
const long = 'x'.repeat(101)
const blue = { name: 'blue', weight: 500, weightType: 'variable', stickiness: 'default' }
const kinds = (length: number) => list(length).map((contextName) => constraint({ contextName }))

/** A part that is refused as new, the same part with something else that is fine, and with something new that is refused. */
const cases: readonly (readonly [string, Part, Part, Part])[] = [
  [
    'a long value',
    { constraints: [constraint({ values: [long] })] },
    { constraints: [constraint({ values: ['SE', long], inverted: true })] },
    { constraints: [constraint({ values: [`${long}x`] })] },
  ],
  [
    '300 values',
    { constraints: [constraint({ values: many })] },
    { constraints: [constraint({ values: many.slice(1) })] },
    { constraints: [constraint({ values: [...many.slice(1), 'NO'] })] },
  ],
  [
    'no values',
    { constraints: [constraint({ values: [] })] },
    { constraints: [constraint({ values: [], caseInsensitive: true })] },
    { constraints: [constraint({ values: [], contextName: 'region' })] },
  ],
  [
    'an invalid version',
    { constraints: [single('SEMVER_GT', '1.2')] },
    { constraints: [constraint({}), single('SEMVER_GT', '1.2', { inverted: true })] },
    { constraints: [single('SEMVER_LT', '1.2')] },
  ],
  [
    'a missing value',
    { constraints: [{ contextName: 'version', operator: 'NUM_EQ' }] },
    { constraints: [single('NUM_EQ', '')] },
    { constraints: [single('NUM_EQ', 'x')] },
  ],
  [
    'a pattern with look-around',
    { constraints: [single('REGEX', '(?=a)')] },
    { constraints: [single('REGEX', '(?=a)'), single('REGEX', '^a')] },
    { constraints: [single('REGEX', '(?=b)')] },
  ],
  [
    'an inverted pattern',
    { constraints: [single('REGEX', '^a', { inverted: true })] },
    { constraints: [single('REGEX', '^b', { inverted: true })] },
    { constraints: [single('REGEX', '^a', { inverted: true, contextName: 'plan' })] },
  ],
  [
    'an address that is none',
    { constraints: [constraint({ operator: 'IN_CIDR', values: ['10.0.0'] })] },
    { constraints: [constraint({ operator: 'IN_CIDR', values: ['10.0.0', '10.0.0.0/8'] })] },
    { constraints: [constraint({ operator: 'IN_CIDR', values: ['10.0.1'] })] },
  ],
  [
    '31 constraints',
    { constraints: kinds(31) },
    { constraints: [constraint({ contextName: '0', values: ['SE'] }), ...kinds(31).slice(1)] },
    { constraints: [constraint({ contextName: 'plan' }), ...kinds(31).slice(1)] },
  ],
  ['6 segments', { segments: [1, 2, 3, 4, 5, 6] }, { segments: [6, 5, 4, 3, 2, 1] }, { segments: [1, 2, 3, 4, 5, 7] }],
  [
    'a percentage',
    { parameters: { rollout: '50%' } },
    { parameters: { rollout: '50%', groupId: 'a' } },
    { parameters: { rollout: '51%' } },
  ],
  [
    'a share of a weight',
    { variants: [{ ...blue, weight: 333.3 }] },
    {
      variants: [
        { name: 'red', weight: 1 },
        { ...blue, weight: 333.3 },
      ],
    },
    { variants: [{ ...blue, weight: 333.4 }] },
  ],
  [
    'fixed weights that are too high',
    {
      variants: [
        blue,
        { ...blue, name: 'red', weight: 600, weightType: 'fix' },
        { ...blue, name: 'green', weight: 600, weightType: 'fix' },
      ],
    },
    {
      variants: [
        { ...blue, name: 'green', weight: 600, weightType: 'fix', stickiness: 'userId' },
        blue,
        { ...blue, name: 'red', weight: 600, weightType: 'fix' },
      ],
    },
    {
      variants: [
        blue,
        { ...blue, name: 'red', weight: 600, weightType: 'fix' },
        { ...blue, name: 'green', weight: 500, weightType: 'fix' },
      ],
    },
  ],
  [
    'fixed weights alone',
    { variants: [{ ...blue, weightType: 'fix' }] },
    { variants: [{ ...blue, weightType: 'fix', stickiness: 'userId' }] },
    { variants: [{ ...blue, weightType: 'fix', weight: 600 }] },
  ],
  [
    'a name twice',
    { variants: [blue, blue] },
    { variants: [blue, { ...blue, stickiness: 'userId' }] },
    { variants: [blue, blue, blue] },
  ],
  [
    'a payload that is no JSON',
    { variants: [{ ...blue, payload: { type: 'json', value: '{' } }] },
    { variants: [{ ...blue, weight: 1, payload: { type: 'json', value: '{' } }] },
    { variants: [{ ...blue, payload: { type: 'json', value: '[' } }] },
  ],
]

/** @see contract 4.4 */
describe('what the target already has', () => {
  it.each(cases)('%s is accepted unless the change alters it', (_, broken, kept, altered) => {
    for (const action of ['updateStrategy', 'updateMilestoneStrategy']) {
      expect(problems(action, { id: 's1', ...broken })).toHaveLength(1)
      expect(problems(action, { id: 's1', ...broken }, null)).toHaveLength(1)
      expect(problems(action, { id: 's1', ...broken }, { id: 's1' })).toHaveLength(1)
      expect(problems(action, { id: 's1', ...broken }, broken)).toEqual([])
      expect(problems(action, { id: 's1', ...kept }, broken)).toEqual([])
      expect(problems(action, { id: 's1', ...altered }, broken)).toHaveLength(1)
    }
  })

  it('counts in segments and in the variants of a flag, too', () => {
    const broken = [single('SEMVER_GT', '1.2')]
    expect(
      problems('updateSegment', { id: 4, name: 'a', constraints: broken }, { name: 'b', constraints: broken }),
    ).toEqual([])
    const variants = [{ ...blue, weight: 333.3 }]
    expect(problems('patchVariant', { variants }, { variants })).toEqual([])
    expect(problems('patchVariant', { variants: [] }, { variants })).toEqual([])
  })

  it('does not cover more values than one constraint had', () => {
    const current = { constraints: [constraint({ values: list(200) }), constraint({ values: list(200, 'a') })] }
    const joined = [constraint({ values: [...list(200), ...list(200, 'a')] })]
    expect(problems('updateStrategy', { id: 's1', constraints: joined }, current)).toHaveLength(1)
  })

  it.each([
    [{ constraints: 'none', segments: {}, parameters: null, variants: [null, 5] }],
    [{ constraints: [null, { operator: 'IN', values: 'NO' }], segments: null, variants: [{ payload: null }] }],
  ])('may be of any shape: %j', (current) => {
    const payload = {
      id: 's1',
      constraints: [constraint({})],
      segments: [1],
      parameters: { rollout: '5' },
      variants: [blue],
    }
    expect(problems('updateStrategy', payload, current)).toEqual([])
  })

  it('may have operators that nobody knows: their values are not checked', () => {
    const newer = [{ contextName: 'plan', operator: 'SEMVER_NEAR', value: 'x', values: [''], inverted: true }]
    expect(problems('updateStrategy', { id: 's1', constraints: newer }, { constraints: newer })).toEqual([])
    expect(
      problems('updateStrategy', { id: 's1', constraints: [{ ...newer[0], value: 'y' }] }, { constraints: newer }),
    ).toEqual([])
  })
})
