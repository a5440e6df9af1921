import operator from '../../../schemas/shared/strategies/known-operator.json'
import { wholeRows } from '../../../src/page/app/words/content/whole'
import { conditionWords } from '../../../src/page/app/words/fields/constraints'
import type { FieldDiff, FieldRow } from '../../../src/page/app/words/fields/row'
import { type ReviewedChange, rowsOf } from '../../../src/page/app/words/fields/rows'
import { totalRow } from '../../../src/page/app/words/fields/variants'
import { textOf } from '../../../src/page/app/words/spans'

/** Label, now and after of each row, as one line. */
function lines(change: Partial<ReviewedChange> & { readonly fields: readonly FieldDiff[] }): string[] {
  const whole = { id: 1, action: 'updateStrategy', feature: 'checkout', before: null, after: null, conflict: null }
  return rowsOf({ ...whole, ...change }).map(line)
}

function line({ label, now, after }: FieldRow): string {
  return `${label}: ${textOf(now.words)} -> ${textOf(after.words)}`.replaceAll('\u00a0', ' ')
}

function field(path: string, current: unknown, proposed: unknown, base: unknown = current): FieldDiff {
  return { path, base, current, proposed, overwrites: false }
}

describe('a constraint', () => {
  const words = (operator: string, values: string[], more: object = {}) =>
    textOf(conditionWords({ contextName: 'country', operator, values, ...more }))

  it.each([
    ['a list', words('IN', ['DE', 'FR']), 'is one of DE, FR'],
    ['an inverted list', words('IN', ['DE', 'FR'], { inverted: true }), 'is none of DE, FR'],
    ['a list of nothing', words('NOT_IN', []), 'is none of empty'],
    ['a text', words('STR_ENDS_WITH', ['@x.no']), 'ends with @x.no'],
    ['several texts', words('STR_CONTAINS', ['a', 'b']), 'contains any of a, b'],
    ['an inverted text', words('STR_STARTS_WITH', ['a', 'b'], { inverted: true }), 'does not start with any of a, b'],
    [
      'a text in any case',
      words('STR_ENDS_WITH', ['.NO'], { caseInsensitive: true }),
      'ends with .NO (case-insensitive)',
    ],
    ['a number', words('NUM_GTE', [], { value: '18' }), 'is at least 18'],
    ['an inverted number', words('NUM_GT', [], { value: '18', inverted: true }), 'is at most 18'],
    ['a date', words('DATE_AFTER', [], { value: '2026-03-01T00:00:00Z' }), 'is after 2026-03-01T00:00:00Z'],
    ['a version', words('SEMVER_LT', [], { value: '2.1.0' }), 'is older than version 2.1.0'],
    ['one value next to a list', words('NUM_GT', ['x'], { value: '5' }), 'is more than 5 (ignored: x)'],
    ['a list next to one value', words('IN', ['a', ''], { value: 'x' }), 'is one of a, “” (ignored: x)'],
    ['nothing that it compares with', words('IN', [], { value: 'x' }), 'is one of empty (ignored: x)'],
    ['both, whatever its operator reads', words('NEAR', ['a'], { value: 'b' }), 'NEAR a, b'],
    ['a value with a comma', words('IN', ['a, b', 'c']), 'is one of “a, b”, c'],
    ['a value that is one of our words', words('IN', ['empty', 'none']), 'is one of “empty”, “none”'],
    ['an unknown operator', words('NEAR', ['a'], { inverted: true }), 'not NEAR a'],
  ])('with %s is a sentence', (_name, found, expected) => {
    expect(found).toBe(expected)
  })

  it.each(operator.enum)('with %s has words for both directions', (name) => {
    const [plain, inverted] = [words(name, ['1']), words(name, ['1'], { inverted: true })]
    expect(plain).not.toContain(name)
    expect(inverted).not.toContain(name)
    expect(inverted).not.toBe(plain)
  })
})

describe('a field that is not in the payload', () => {
  it('is a strategy that is activated', () => {
    const strategies = [
      { id: 's1', name: 'default', title: 'some', disabled: false },
      { id: 's2', name: 'default', disabled: false, started: true },
    ]
    const fields = [field('/strategies/s1/disabled', true, false), field('/strategies/s2/started', null, true)]
    expect(lines({ action: 'updateEnabled', after: { enabled: true, strategies }, fields })).toEqual([
      'Strategy “some”: switched off -> in use',
      'Strategy “Standard”: switched off -> in use',
    ])
  })

  it('is the order of variants, next to their own fields', () => {
    const [blue, grey] = [
      { name: 'blue', weight: 500 },
      { name: 'grey', weight: 500 },
    ]
    const lighter = { ...blue, weight: 400 }
    const fields = [field('/variants', [blue, grey], [grey, lighter]), field('/variants/blue/weight', 500, 400)]
    expect(lines({ action: 'patchVariant', fields })).toEqual([
      'blue: 50 % -> 40 %',
      'Order of variants: blue, grey -> grey, blue',
    ])
    expect(lines({ action: 'patchVariant', fields: [field('/variants', [blue, grey], [grey, blue])] })).toEqual([
      'Order of variants: blue, grey -> grey, blue',
    ])
  })
})

const change = { id: 1, action: 'updateStrategy', feature: 'a', before: null, after: null, conflict: null, fields: [] }

describe('the rows of a change', () => {
  it.each([
    ['a rollout', field('/parameters/rollout', '25', '75'), 'Rollout: 25 % -> 75 %'],
    [
      'a rollout that is no number',
      field('/parameters/rollout', 'half', '75'),
      'Rollout: half (not a percentage) -> 75 %',
    ],
    [
      'a blank rollout',
      field('/parameters/rollout', ' ', '0x10'),
      'Rollout:   (not a percentage) -> 0x10 (not a percentage)',
    ],
    ['a list in a parameter', field('/parameters/userIds', '1, 2', '2,3'), 'Users: 1, 2 -> 2 + 3 − 1'],
    ['an unknown parameter', field('/parameters/shard', 'a', 'b'), 'shard: a -> b'],
    ['a switch', field('/enabled', false, true), 'Flag: off -> on'],
    ['a disabled strategy', field('/disabled', false, true), 'Strategy: in use -> switched off'],
    ['a segment list', field('/segments', [1], [1, 2]), 'Segments: segment 1 -> segment 1 + segment 2'],
    ['a weight', field('/variants/blue/weight', 500, 200), 'blue: 50 % -> 20 %'],
    ['a payload', field('/variants/blue/payload/value', 'a', 'b'), 'blue · payload · value: a -> b'],
    ['a title that goes', field('/title', 'Nordics', ''), 'Title: Nordics -> empty'],
    ['a name with a slash', field('/variants/a~1b/weight', 0, 1000), 'a/b: 0 % -> 100 %'],
    ['an unknown field', field('/x/y', { a: 1 }, { a: 2 }), 'x › y: {"a":1} -> {"a":2}'],
    [
      'a parent',
      field('/dependencies/pay', null, { feature: 'pay', enabled: false }),
      'Depends on pay: not -> while it is off',
    ],
  ])('say %s', (_name, diff, expected) => {
    expect(lines({ fields: [diff] })).toEqual([expected])
  })

  it('show constraints by their field, and mark what is added and removed', () => {
    const constraint = (values: string[]) => ({ contextName: 'country', operator: 'IN', values })
    const email = { contextName: 'email', operator: 'STR_ENDS_WITH', values: ['@x.no'], inverted: true }
    const diff = field('/constraints', [constraint(['NO', 'SE'])], [constraint(['NO', 'DK']), email])
    expect(lines({ fields: [diff] })).toEqual([
      'Country: is one of NO, SE -> is one of NO + DK − SE',
      'Email: no condition -> does not end with @x.no',
    ])
  })

  it('have the names of segments, if they are known', () => {
    const change = { segmentNames: { 1: 'Beta testers' }, fields: [field('/segments', [1], [2])] }
    expect(lines(change)).toEqual(['Segments: segment “Beta testers” -> + segment 2 − segment “Beta testers”'])
  })

  it('of a rollout that the strategy does not have is that of everybody', () => {
    const [before, after] = [undefined, '30'].map((rollout) => ({ name: 'flexibleRollout', parameters: { rollout } }))
    const fields = [field('/parameters/rollout', null, '30')]
    expect(lines({ before: before as never, after: after as never, fields })).toEqual([
      'Rollout: 100 % (not set) -> 30 %',
    ])
  })

  it('have the fields of an object that one side does not have', () => {
    const diff = field('/parameters', null, { rollout: '10', stickiness: 'default', groupId: '' })
    expect(lines({ fields: [diff] })).toEqual(['Rollout: none -> 10 %', 'Stickiness: none -> default'])
  })

  it('have the variants of a list that one side does not have', () => {
    const diff = field('/variants', null, [{ name: 'a', weight: 1000, payload: { type: 'string', value: 'x' } }])
    expect(lines({ fields: [diff] })).toEqual(['a: none -> 100 %', 'a · payload: none -> string: x'])
  })

  it('show that an added strategy without a condition is for everybody', () => {
    const after = { name: 'flexibleRollout', constraints: [], segments: [] }
    const fields = [field('/name', null, 'flexibleRollout'), field('/constraints', null, [])]
    expect(lines({ action: 'addStrategy', fields, after })).toEqual([
      'Kind: none -> Gradual rollout',
      'For: none -> everybody',
    ])
  })

  it('count the positions of an order', () => {
    const part = (a: number, b: number) => ({
      order: [
        { id: 'a', sortOrder: a },
        { id: 'b', sortOrder: b },
      ],
    })
    const fields = [field('/order/a/sortOrder', 1, 9)]
    expect(lines({ action: 'reorderStrategy', fields, before: part(1, 5), after: part(9, 5) })).toEqual([
      'Strategy a: place 1 -> place 2',
    ])
  })

  it('keep the proposed value if another user has changed it since', () => {
    const diff = { path: '/parameters/rollout', base: '10', current: '40', proposed: '30', overwrites: true }
    const [found] = rowsOf({
      id: 1,
      action: 'updateStrategy',
      feature: 'a',
      before: null,
      after: null,
      conflict: null,
      fields: [diff],
    })
    expect(found).toMatchObject({ overwrites: true, share: { from: 40, to: 30 } })
    expect(textOf(found?.was?.words ?? [])).toBe('10 %')
  })

  it('have comparisons of long texts and JSON, and none of short or missing values', () => {
    const text = 'Shown to people who pay by card, and to all testers'
    const texts = (diff: FieldDiff) => rowsOf({ ...change, fields: [diff] })[0]?.texts
    expect(texts(field('/description', text, `${text} in Norway`))).toEqual([text, `${text} in Norway`])
    expect(texts(field('/variants/a/payload/value', '{"a":1}', text))).toEqual(['{"a":1}', text])
    expect(texts(field('/x/y', { text }, { text: 'b' }))).toEqual([{ text }, { text: 'b' }])
    expect(texts(field('/description', 'a', 'b'))).toBeUndefined()
    expect(texts(field('/description', null, text))).toBeUndefined()
    expect(texts(field('/parameters/userIds', text, `${text}, 4`))).toBeUndefined()
  })
})

describe('variants and parents', () => {
  it('have a row each, also if two variants have the same name', () => {
    const variants = (weight: number) => [
      { name: 'a', weight },
      { name: 'a', weight: 500 },
    ]
    expect(lines({ fields: [field('/variants', variants(500), variants(400))] })).toContain('a: 50 % -> 40 %')
  })

  it('show whether the parent must be on', () => {
    expect(lines({ fields: [field('/dependencies/base/enabled', null, false)] })).toEqual([
      'Depends on base · flag: on -> off',
    ])
  })
})

describe('a list of users', () => {
  it('is shown if the store has a number or JSON', () => {
    expect(lines({ fields: [field('/parameters/userIds', 5, '5, 6')] })).toEqual(['Users: 5 -> 5 + 6'])
    expect(lines({ fields: [field('/parameters/userIds', ['a', 'b'], 'a')] })).toEqual(['Users: a, b -> a − b'])
  })
})

describe('the shares of variants', () => {
  const part = (...weights: number[]) => ({ variants: weights.map((weight, index) => ({ name: `v${index}`, weight })) })
  const total = (before: object | null, after: object | null) => {
    const fields = [field('/variants/v0/weight', 1, 2)]
    const rows = rowsOf({ ...change, fields })
    return totalRow(rows, before as never, after as never).map(line)
  }

  it('add up exactly', () => {
    expect(total(part(1000), part(333, 333, 334))).toEqual(['All variants: 100 % -> 100 %'])
  })

  it('are marked if they do not add up', () => {
    expect(total(null, part(333, 333))).toEqual(['All variants: none -> 66.6 %, not 100 %'])
  })

  it('are not added up if none of them changes', () => {
    expect(totalRow(rowsOf(change), part(1000), part(1000))).toEqual([])
  })
})

describe('a whole strategy', () => {
  const strategy = (rollout: string, more: object = {}) => ({
    id: 's1',
    name: 'flexibleRollout',
    title: 'Nordics',
    sortOrder: 3,
    constraints: [{ contextName: 'country', operator: 'IN', values: ['NO', 'SE'] }],
    parameters: { rollout, stickiness: 'default' },
    segments: [1],
    variants: [],
    ...more,
  })
  const whole = (before: object | null, after: object | null, altered: FieldDiff[], action = 'updateStrategy') => {
    const edit = { ...change, action, before, after, segmentNames: { 1: 'Beta testers' }, fields: altered } as never
    return wholeRows(edit, rowsOf(edit))
  }

  it('has a row for each field, and shows unchanged fields', () => {
    const rows = whole(strategy('10'), strategy('40'), [field('/parameters/rollout', '10', '40')])
    expect(rows.map((row) => [row.now === row.after, line(row)])).toEqual([
      [true, 'Kind: Gradual rollout -> Gradual rollout'],
      [true, 'Title: Nordics -> Nordics'],
      [true, 'Country: is one of NO, SE -> is one of NO, SE'],
      [false, 'Rollout: 10 % -> 40 %'],
      [true, 'Stickiness: default -> default'],
      [true, 'Segments: segment “Beta testers” -> segment “Beta testers”'],
    ])
  })

  it('keeps the details of the row of a changed field', () => {
    const altered = { ...field('/parameters/rollout', '20', '40', '10'), overwrites: true }
    const rows = whole(strategy('20'), strategy('40'), [altered])
    expect(rows.find(({ key }) => key === altered.path)).toMatchObject({
      overwrites: true,
      share: { from: 20, to: 40 },
    })
  })

  it('shows that it is for everybody', () => {
    const free = strategy('100', { constraints: [], segments: [] })
    expect(whole(free, { ...free, title: 'All' }, [field('/title', 'Nordics', 'All')]).map(line)).toContain(
      'For: everybody -> everybody',
    )
  })

  it('is empty before it is added and after it is deleted', () => {
    expect(whole(null, strategy('10'), [], 'addStrategy').map(line)).toContain('Rollout: none -> 10 %')
    expect(whole(strategy('10'), null, [], 'deleteStrategy').map(line)).toContain('Rollout: 10 % -> none')
  })

  it('shows the shares of its variants, and that they add up', () => {
    const variants = (blue: number) => ({
      variants: [
        { name: 'blue', weight: blue },
        { name: 'red', weight: 1000 - blue },
      ],
    })
    const altered = [field('/variants/blue/weight', 500, 250), field('/variants/red/weight', 500, 750)]
    expect(whole(strategy('10', variants(500)), strategy('10', variants(250)), altered).map(line)).toEqual(
      expect.arrayContaining(['blue: 50 % -> 25 %', 'red: 50 % -> 75 %', 'All variants: 100 % -> 100 %']),
    )
  })
})
