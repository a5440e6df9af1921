import fc from 'fast-check'
import type { JsonValue } from '../../../src/domain/change-request'
import { canonical, isSame } from '../../../src/domain/diff/canonical'
import { compareFields } from '../../../src/domain/diff/fields'
import { random } from '../../support/random'

type Part = { readonly [name: string]: JsonValue }

const constraint = { contextName: 'country', operator: 'IN', values: ['NO', 'SE'] }
const other = { contextName: 'age', operator: 'NUM_GT', value: '5' }
const blue = { name: 'blue', weight: 500 }
const grey = { name: 'grey', weight: 500 }
const strategy: Part = { id: 's1', name: 'flexibleRollout' }
const of = (more: Part): Part => ({ ...strategy, ...more })
const reversed = { ...constraint, values: ['SE', 'NO'] }

/** Hashed for bases and schedules, and compared everywhere else. */
const formOf = (part: JsonValue) => JSON.stringify(canonical(part))

describe('parts of a target are equal by meaning', () => {
  it.each<[string, JsonValue, JsonValue]>([
    ['the same of a segment', { name: 'beta', constraints: [constraint] }, { name: 'beta', constraints: [reversed] }],
    ['a description of null and none', { name: 'beta', description: null }, { name: 'beta' }],
    [
      'parents in any order',
      { dependencies: [{ feature: 'a' }, { feature: 'b' }] },
      { dependencies: [{ feature: 'b' }, { feature: 'a' }] },
    ],
    [
      'the defaults of a parent and none',
      { dependencies: [{ feature: 'a', enabled: true, variants: [] }] },
      { dependencies: [{ feature: 'a' }] },
    ],
    [
      'strategies with sort orders in any order',
      {
        strategies: [
          { id: 'a', sortOrder: 1 },
          { id: 'b', sortOrder: 0 },
        ],
      },
      {
        strategies: [
          { id: 'b', sortOrder: 0 },
          { id: 'a', sortOrder: 1 },
        ],
      },
    ],
    [
      'what they hold',
      { strategies: [of({ segments: [2, 1], disabled: false })] },
      { strategies: [of({ segments: [1, 2] })] },
    ],
    [
      'a list of sort orders in any order',
      {
        order: [
          { id: 'a', sortOrder: 1 },
          { id: 'b', sortOrder: 0 },
        ],
      },
      {
        order: [
          { id: 'b', sortOrder: 0 },
          { id: 'a', sortOrder: 1 },
        ],
      },
    ],
  ])('%s', (_, one, two) => {
    expect(isSame(one, two)).toBe(true)
    expect(formOf(one)).toBe(formOf(two))
    expect(compareFields(one, two, one)).toEqual([])
  })

  it.each<[string, JsonValue, JsonValue]>([
    ['variants in another order', { variants: [blue, grey] }, { variants: [grey, blue] }],
    ['variants of a strategy in another order', of({ variants: [blue, grey] }), of({ variants: [grey, blue] })],
    [
      'strategies in another order',
      { strategies: [{ id: 'a' }, { id: 'b' }] },
      { strategies: [{ id: 'b' }, { id: 'a' }] },
    ],
    [
      'overrides in another order',
      { variants: [{ ...blue, overrides: [other, constraint] }] },
      { variants: [{ ...blue, overrides: [constraint, other] }] },
    ],
    ['a constraint that is there twice', of({ constraints: [other, other] }), of({ constraints: [other] })],
    ['an empty value and none', of({ constraints: [{ ...constraint, value: '' }] }), of({ constraints: [constraint] })],
    ['no constraints and unknown ones', of({ constraints: [] }), strategy],
    ['no parameters and unknown ones', of({ parameters: {} }), strategy],
    ['a sort order and none', of({ sortOrder: 0 }), strategy],
    [
      'a variant with a weight type and one without',
      { variants: [{ ...blue, weightType: 'variable' }] },
      { variants: [blue] },
    ],
    ['a segment of all projects and one whose project is unknown', { name: 'beta', project: null }, { name: 'beta' }],
    ['an unknown property of null and none', of({ owner: null }), strategy],
    ['an unknown list in another order', of({ tags: [1, 2] }), of({ tags: [2, 1] })],
    ['an unknown list of named elements in another order', of({ tags: [blue, grey] }), of({ tags: [grey, blue] })],
    [
      'defaults inside an unknown property',
      of({ more: { disabled: false, segments: [], title: '' } }),
      of({ more: {} }),
    ],
    ['a missing parameter and an empty one', of({ parameters: { rollout: '' } }), strategy],
    [
      'numbers that are written differently',
      of({ parameters: { rollout: '50.0' } }),
      of({ parameters: { rollout: 50 } }),
    ],
    ['a missing target', null, strategy],
    ['a flag that is off', { enabled: false }, { enabled: true }],
    ['an archived flag', { archived: false }, { archived: true }],
    [
      'a parent that must be off',
      { dependencies: [{ feature: 'a', enabled: false }] },
      { dependencies: [{ feature: 'a' }] },
    ],
  ])('but not %s', (_, one, two) => {
    expect(isSame(one, two)).toBe(false)
    expect(formOf(one)).not.toBe(formOf(two))
    expect(compareFields(one ?? {}, one ?? {}, two).filter(({ isAltered }) => isAltered)).not.toEqual([])
  })
})

const word = fc.constantFrom('', 'a', 'b', 'c')
const constraints = fc.array(
  fc.record(
    {
      contextName: word,
      operator: fc.constantFrom('IN', 'NUM_GT'),
      inverted: fc.boolean(),
      caseInsensitive: fc.boolean(),
      values: fc.array(word, { maxLength: 3 }),
      value: word,
    },
    { requiredKeys: ['contextName', 'operator'] },
  ),
  { maxLength: 3 },
)
const variants = fc.uniqueArray(
  fc.record(
    { name: word, weight: fc.nat(9), overrides: fc.array(fc.record({ contextName: word, values: fc.array(word) })) },
    { requiredKeys: ['name', 'weight'] },
  ),
  { maxLength: 3, selector: ({ name }) => name },
)
const parts = fc.record(
  {
    id: word,
    title: fc.option(word),
    disabled: fc.boolean(),
    sortOrder: fc.nat(3),
    parameters: fc.dictionary(word, fc.oneof(word, fc.nat(9))),
    segments: fc.array(fc.nat(3), { maxLength: 3 }),
    constraints,
    variants,
    unknown: fc.jsonValue({ maxDepth: 2 }),
  },
  { requiredKeys: ['id'] },
) as fc.Arbitrary<Part>

/** Every list whose order does not count, in another order; every default left out. */
function restated(part: Part): Part {
  const { title, disabled, segments, constraints, variants, parameters, ...others } = part
  const back = <Element>(list: JsonValue | undefined) => [...((list ?? []) as Element[])].reverse()
  const filled = (list: readonly unknown[], name: string) => (list.length === 0 ? {} : { [name]: list })
  return {
    ...(disabled === true && { disabled }),
    ...(title && { title }),
    ...filled(back<JsonValue>(segments), 'segments'),
    ...(constraints && {
      constraints: back<{ values?: JsonValue[] }>(constraints).map(({ values = [], ...one }) => {
        const kept = Object.entries(one).filter(([, value]) => value !== false)
        return { ...filled(back(values), 'values'), ...Object.fromEntries(kept) }
      }),
    }),
    ...filled(
      ((variants ?? []) as { overrides?: JsonValue[] }[]).map(({ overrides = [], ...one }) => ({
        ...filled(overrides, 'overrides'),
        ...one,
      })),
      'variants',
    ),
    ...(parameters && {
      parameters: Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, String(value)])),
    }),
    ...others,
  } as Part
}

/** Every value that differs from this one in one place. */
function edits(value: JsonValue): readonly JsonValue[] {
  if (typeof value === 'string') return [`${value}x`]
  if (typeof value === 'number') return [value === 1 ? 2 : 1]
  if (typeof value === 'boolean') return [!value]
  if (value === null) return ['x']
  if (Array.isArray(value)) {
    const inside = value.flatMap((one, index) => edits(one).map((edited) => value.with(index, edited)))
    return [...inside, [...value, 'added'], ...value.map((_, index) => value.toSpliced(index, 1))]
  }
  const inside = Object.entries(value).flatMap(([name, one]) =>
    edits(one).map((edited) => ({ ...value, [name]: edited })),
  )
  return [...inside, { ...value, added: 1 }]
}

describe('the canonical form', () => {
  it('is the same for every form of a part, and of itself', () => {
    fc.assert(
      fc.property(parts, (part) => {
        expect(formOf(restated(part))).toBe(formOf(part))
        expect(isSame(restated(part), part)).toBe(true)
        expect(formOf(canonical(part))).toBe(formOf(part))
      }),
      random(30),
    )
  })

  it('differs after any other single edit, which has a field', () => {
    fc.assert(
      fc.property(parts, (part) => {
        const missed = edits(part).filter(
          (edited) =>
            formOf(edited) === formOf(part) || isSame(edited, part) || compareFields(part, part, edited).length === 0,
        )
        expect(missed).toEqual([])
      }),
      random(10),
    )
  })
})
