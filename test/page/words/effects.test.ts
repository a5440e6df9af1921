import { reachesEverybody } from '../../../src/domain/content/reach'
import { changeWords } from '../../../src/page/app/words/changes'
import { wholeRows } from '../../../src/page/app/words/content/whole'
import { type EffectChange, effectWords } from '../../../src/page/app/words/effects/effects'
import { fieldsBetween } from '../../../src/page/app/words/fields/compared'
import { rowsOf } from '../../../src/page/app/words/fields/rows'
import { isList, type Mark, textOf } from '../../../src/page/app/words/spans'

const strategy = (rollout: string, more: object = {}) => ({
  name: 'flexibleRollout',
  title: '',
  parameters: { rollout },
  constraints: [] as object[],
  segments: [] as number[],
  ...more,
})
const country = (...values: string[]) => ({ constraints: [{ contextName: 'country', operator: 'IN', values }] })

function change(action: string, more: Partial<EffectChange>): EffectChange {
  return {
    id: 1,
    action,
    feature: 'checkout',
    payload: {},
    before: null,
    after: null,
    fields: [],
    conflict: null,
    ...more,
  }
}

function edit(from: string, to: string, before: object = {}, after: object = before): EffectChange {
  const fields = [
    ...(from === to
      ? []
      : [{ path: '/parameters/rollout', base: from, current: from, proposed: to, overwrites: false }]),
  ]
  return change('updateStrategy', { before: strategy(from, before), after: strategy(to, after), fields })
}

const say = (...args: Parameters<typeof effectWords>) => textOf(effectWords(...args)).replaceAll('\u00a0', ' ')

describe('the effect in one line', () => {
  it('has the rollout and its users', () => {
    expect(say([edit('25', '75', country('NO', 'SE'))])).toBe('25 % → 75 % of users in NO, SE')
  })

  it('shows a lower rollout', () => {
    expect(say([edit('40', '30')])).toBe('40 % → 30 % of everybody, 10 points down')
  })

  it('marks added users', () => {
    const { fields, ...one } = edit('75', '75', country('NO'), country('NO', 'DK'))
    const constraints = {
      path: '/constraints',
      base: null,
      current: country('NO').constraints,
      proposed: country('NO', 'DK').constraints,
      overwrites: false,
    }
    expect(say([{ ...one, fields: [...fields, constraints] }])).toBe('75 % of users in NO + DK')
  })

  it.each([
    ['on, where a strategy exists', { before: { enabled: false }, payload: { enabled: true } }, undefined, 'off → on'],
    [
      'on, with the default strategy as an implied change',
      { before: { enabled: false }, payload: { enabled: true } },
      { action: 'addStrategy', payload: strategy('100') },
      'off → on for everybody',
    ],
    [
      'on, where the default strategy is for some',
      { before: { enabled: false }, payload: { enabled: true } },
      { action: 'addStrategy', payload: strategy('10') },
      'off → on for 10 % of everybody',
    ],
    ['off', { before: { enabled: true }, payload: { enabled: false } }, undefined, 'on → off for everybody'],
  ])('of a switched flag: %s', (_name, more, implied, expected) => {
    expect(say([change('updateEnabled', more)], implied)).toBe(expected)
  })

  it.each([
    ['addStrategy', { after: strategy('10', country('NO')) }, 'adds gradual rollout for 10 % of users in NO'],
    [
      'addStrategy',
      {
        after: strategy('10', {
          constraints: [{ contextName: 'email', operator: 'STR_ENDS_WITH', values: ['@x.no'] }],
          segments: [1, 2],
        }),
        segmentNames: { 1: 'Beta testers' },
      },
      'adds gradual rollout for 10 % of users whose email ends with @x.no and in segment “Beta testers” and in segment 2',
    ],
    ['deleteStrategy', { before: strategy('10', { title: 'Old' }) }, 'strategy “Old” deleted'],
    ['archiveFeature', {}, 'archived in all environments'],
    [
      'patchVariant',
      { fields: [{ path: '/variants/b/weight', base: 500, current: 500, proposed: 800, overwrites: false }] },
      'b 50 % → 80 %',
    ],
    ['startMilestone', {}, 'milestone started'],
    [
      'updateStrategy',
      { before: strategy('10', { segments: [1, 2] }), after: strategy('10', { segments: [2, 1] }) },
      'nothing: it already has this value',
    ],
    ['launchRocket', {}, 'launchRocket'],
  ])('of %s', (action, more, expected) => {
    expect(say([change(action, more)])).toBe(expected)
  })

  it('has removed conditions, and marks new segments', () => {
    const noMore = { ...country('NO'), segments: [1] }
    const fields = fieldsBetween(strategy('75', noMore), strategy('75', { segments: [2] }))
    const change = edit('75', '75', noMore, { segments: [2] })
    expect(say([{ ...change, fields, segmentNames: { 1: 'Beta' } }])).toBe(
      '75 % of users in + segment 2, no longer only those in NO and in segment “Beta”',
    )
    const widened = fieldsBetween(strategy('75', noMore), strategy('75'))
    expect(say([{ ...edit('75', '75', noMore, {}), fields: widened }])).toBe(
      '75 % of everybody, no longer only those in NO and in segment 1',
    )
  })

  it('of an unknown strategy type has only its conditions, and that it stays switched off', () => {
    const ours = (more: object) => ({ ...strategy('100', more), name: 'ours' })
    const moved = (before: object, after: object) =>
      say([change('updateStrategy', { before, after, fields: fieldsBetween(before, after) } as object)])
    expect(moved(ours(country('NO')), ours(country('NO', 'SE')))).toBe('only for users in NO + SE')
    expect(moved(ours(country('NO')), ours({}))).toBe('no longer only those in NO')
    const [few, all] = ['10', '40'].map((rollout) => strategy(rollout, { disabled: true })) as [object, object]
    expect(moved(few, all)).toBe('10 % → 40 % of everybody, switched off')
  })

  it.each([
    [true, true, 'stays on'],
    [false, false, 'stays off'],
    // A later switch replaces it.
    [false, true, 'stays off'],
  ])('shows what a switch does, whatever its payload: %s, %s', (enabled, payload, words) => {
    const part = { enabled }
    const replaced = change('updateEnabled', { payload: { enabled: payload }, before: part, after: part })
    expect(say([replaced])).toBe(words)
  })

  it('shows that it stays switched off, also if the previous state is unknown', () => {
    const { fields, after } = edit('25', '75', { disabled: true })
    expect(say([change('updateStrategy', { fields, after })])).toBe('25 % → 75 % of everybody, switched off')
  })

  it('keeps names of users and hosts unchanged', () => {
    const [before, after] = [
      { name: 'OurRollout', parameters: { Region: 'a' }, variants: [{ name: 'Blue', weight: 1 }] },
      { name: 'OurRollout', parameters: { Region: 'b' }, variants: [{ name: 'Blue', weight: 2 }] },
    ]
    const fields = fieldsBetween(before, after)
    expect(say([change('updateStrategy', { before, after, fields })])).toBe('Region a → b, Blue 0.1 % → 0.2 %')
    expect(say([change('addStrategy', { after })])).toBe('adds “OurRollout”')
    const user = (values: string[]) => ({ constraints: [{ contextName: 'User', operator: 'IN', values }] })
    const segment = { before: user(['a']), after: user(['b']) }
    const ofSegment = { ...segment, fields: fieldsBetween(segment.before, segment.after) }
    expect(say([change('updateSegment', ofSegment)])).toBe('User is one of a → is one of + b − a in all environments')
  })

  it('begins with the reason why it cannot be applied', () => {
    const conflict = change('updateStrategy', { conflict: 'Strategy has been deleted' })
    expect(say([edit('1', '2'), conflict])).toBe('cannot be applied: strategy has been deleted')
  })

  it('counts what does not fit', () => {
    expect(say([1, 2, 3, 4, 5].map(() => edit('1', '2')))).toContain('; 2 more changes')
  })
})

describe('constraints of one field and operator', () => {
  const email = (...values: string[]) => ({ contextName: 'email', operator: 'STR_ENDS_WITH', values })
  const [before, form] = [
    { constraints: [email('@a'), email('@b')] },
    { constraints: [{ ...email('@b'), inverted: false }, email('@a')] },
  ]

  it.each([before, form])('are not mentioned if only the rollout changes', (after) => {
    const [old, next] = [strategy('25', before), strategy('75', after)]
    const fields = fieldsBetween(old, next)
    const edited = { ...edit('25', '75', before, after), fields }
    expect(fields.map(({ path }) => path)).toEqual(['/parameters/rollout'])
    expect(say([edited])).toBe('25 % → 75 % of users whose email ends with @a and whose email ends with @b')
    const rows = rowsOf(edited)
    expect(rows.map(({ label }) => label)).toEqual(['Rollout'])
    const alike = wholeRows(edited, rows).filter(({ now, after }) => now === after)
    expect(alike.filter(({ label }) => label === 'Email').map(({ now }) => textOf(now.words))).toEqual([
      'ends with @a',
      'ends with @b',
    ])
  })

  it('are compared with the replaced ones', () => {
    const after = { constraints: [email('@b', '@c'), { ...email('@a'), inverted: true }] }
    const edited = {
      ...edit('25', '25', before, after),
      fields: fieldsBetween(strategy('25', before), strategy('25', after)),
    }
    expect(rowsOf(edited).map(({ now, after }) => `${textOf(now.words)} -> ${textOf(after.words)}`)).toEqual([
      'ends with @a -> does not end with @a',
      'ends with @b -> ends with any of @b + @c',
    ])
    expect(say([edited])).toBe(
      '25 % of users whose email does not end with + @a and whose email ends with any of @b + @c, no longer only those whose email ends with @a',
    )
  })
})

describe('the users of a strategy', () => {
  const adds = (name: string, parameters: object, more: object = {}) =>
    change('addStrategy', { after: { ...strategy(''), name, parameters, ...more } as EffectChange['after'] })
  const forEverybody = (added: EffectChange) =>
    rowsOf({ ...added, fields: fieldsBetween(null, added.after) }).some(({ label }) => label === 'For')

  it.each([
    ['default', {}, {}, 'standard for everybody', true],
    ['flexibleRollout', {}, {}, 'gradual rollout for everybody', true],
    ['flexibleRollout', { rollout: '100' }, { disabled: true }, 'gradual rollout for everybody, switched off', false],
    ['flexibleRollout', { rollout: '100', percentage: '5' }, {}, 'gradual rollout for everybody', true],
    ['gradualRolloutUserId', { percentage: '5' }, {}, 'gradual rollout by user for 5 % of everybody', false],
    ['gradualRolloutSessionId', { percentage: '100' }, {}, 'gradual rollout by session for everybody', true],
    [
      'gradualRolloutRandom',
      { percentage: '5' },
      country('NO'),
      'gradual rollout at random for 5 % of users in NO',
      false,
    ],
    ['gradualRolloutRandom', {}, {}, 'gradual rollout at random: none', null],
    ['userWithId', { userIds: '5, 100' }, {}, 'users by id: 5, 100', false],
    ['userWithId', { userIds: '100' }, {}, 'users by id: 100', false],
    ['remoteAddress', { IPs: '10.0.0.1' }, {}, 'IP addresses: 10.0.0.1', false],
    ['applicationHostname', { hostNames: '' }, country('NO'), 'hosts: empty, only for users in NO', false],
    ['ours', { rollout: '100' }, {}, '“ours”', null],
    ['toString', {}, country('NO'), '“toString”, only for users in NO', false],
  ])('%s %j %j', (name, parameters, more, words, isEverybody) => {
    const added = adds(name, parameters, more)
    expect(say([added])).toBe(`adds ${words}`)
    expect(reachesEverybody(added.after)).toBe(isEverybody)
    if (isEverybody || name === 'ours' || name === 'userWithId') expect(forEverybody(added)).toBe(isEverybody === true)
  })

  it.each([
    ['gradualRolloutUserId', { percentage: '5' }, { percentage: '100' }, '5 % → 100 % of everybody'],
    ['userWithId', { userIds: '1' }, { userIds: '1,100' }, 'users 1 → 1 + 100'],
    ['ours', { rollout: '5' }, { rollout: '100' }, 'rollout 5 % → 100 %'],
  ])('%s, edited from %j to %j', (name, old, next, words) => {
    const [before, after] = [old, next].map((parameters) => ({ ...strategy(''), name, parameters }))
    const edited = change('updateStrategy', { before, after, fields: fieldsBetween(before, after) } as object)
    expect(say([edited])).toBe(words)
  })
})

describe('a rollout that `unleashRules()` would reject', () => {
  it.each(['175', 'abc', '75%', '', null, '-5', '1e2', ' 75', '33.3', '007'])('is shown unchanged: %j', (value) => {
    const words = `${value === '' ? 'empty' : value} (not a percentage)`
    const [good, bad] = [strategy('75'), { ...strategy('75'), parameters: { rollout: value } }]
    const edited = (before: object, after: object) =>
      change('updateStrategy', { before, after, fields: fieldsBetween(before, after) } as object)
    for (const [one, expected] of [
      [edited(good, bad), `75 % → ${words}`],
      [edited(bad, good), `${words} → 75 %`],
    ] as const) {
      const [row] = rowsOf(one)
      expect(row?.share).toBeNull()
      expect(`${textOf(row?.now.words ?? [])} → ${textOf(row?.after.words ?? [])}`.replaceAll('\u00a0', ' ')).toBe(
        expected,
      )
    }
    expect(say([edited(good, bad)])).toBe(`rollout 75 % → ${words}`)
    expect(say([edited(bad, good)])).toBe(`${words} → 75 % of everybody`)
    const added = change('addStrategy', { after: { ...bad, ...country('NO') } })
    expect(say([added])).toBe(`adds gradual rollout: ${words}, only for users in NO`)
    const table = rowsOf({ ...added, fields: fieldsBetween(null, bad) }).map(({ after }) => textOf(after.words))
    // A diff does not distinguish null from what is absent.
    if (value !== null) expect(table).toContain(words)
  })

  it('is not a JSON number, which equals its text', () => {
    expect(say([edit('25', 75 as unknown as string)])).toBe('25 % → 75 % of everybody')
  })
})

describe('a list with 5,000 values', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `v${index}`)
  const [before, after] = [many(5_000), [...many(4_999), 'x', 'y']]
  const news = '+2, −1 of 5,001: + x + y − v4999'
  const constraint = (values: string[]) => ({ constraints: [{ contextName: 'id', operator: 'IN', values }] })
  const users = (ids: string[]) => ({ ...strategy(''), name: 'userWithId', parameters: { userIds: ids.join(',') } })
  const edited = (action: string, old: object, next: object) =>
    change(action, { before: old, after: next, fields: fieldsBetween(old, next) } as object)
  const parent = (variants: string[]) => ({ dependencies: [{ feature: 'pay', variants }] })

  it.each([
    [
      edited('updateStrategy', strategy('25', constraint(before)), strategy('25', constraint(after))),
      `25 % of users whose id is one of ${news}`,
    ],
    [edited('updateSegment', constraint(before), constraint(after)), `id is one of ${news} in all environments`],
    [edited('updateStrategy', users(before), users(after)), `users ${news}`],
    [edited('addDependency', parent(before), parent(after)), `depends on pay · variants ${news}`],
  ])('shows added and removed values', (one, words) => {
    expect(say([one])).toBe(words)
    const [row] = rowsOf(one)
    const isDiffering = ({ as }: Mark) => as !== 'value'
    const list = row?.after.words.find(isList)
    expect(list?.values.filter(isDiffering).map(({ text }) => text)).toEqual(['x', 'y', 'v4999'])
    expect(textOf(row?.after.words ?? [])).toContain(news)
    // Also before, what goes is the first.
    expect(textOf(row?.now.words ?? [])).toMatch(/v4999, v0, v1, .* and 4,992 more$/)
  })

  it('counts the added values that do not fit in a line', () => {
    const next = [...before, ...many(5_020).slice(5_000)]
    expect(say([edited('updateStrategy', users(before), users(next))])).toMatch(
      /^users \+20 of 5,020: \+ v5000 .* \+ v5007$/,
    )
  })

  it('shows that none is left', () => {
    expect(say([edited('updateStrategy', users(before), users([]))])).toMatch(/^users −5,000 of 0: − v0 .* − v7$/)
  })

  it('begins with its first values if all of them are new', () => {
    expect(say([change('addStrategy', { after: users(before) })])).toMatch(
      /^adds users by id: v0, .*, v7 and 4,992 more$/,
    )
  })
})

describe('the heading of a change', () => {
  it.each([
    ['updateEnabled', { enabled: true }, null, 'Switched on '],
    ['updateStrategy', { id: 's1' }, { title: 'Nordics', name: 'flexibleRollout' }, 'Strategy “Nordics” edited'],
    ['updateStrategy', { id: 's1' }, null, 'Strategy “s1” edited'],
    ['deleteDependency', {}, null, 'All parents removed'],
    ['deleteSegment', { id: 4 }, null, 'Segment 4 deleted in all environments'],
    ['toString', {}, null, 'toString '],
    ['addStrategy', 'nonsense', null, 'Strategy “” added'],
  ])('of %s has the object and the action', (action, payload, target, expected) => {
    const { what, how } = changeWords({ action, payload }, target)
    expect(`${what} ${how}`).toBe(expected)
  })
})
