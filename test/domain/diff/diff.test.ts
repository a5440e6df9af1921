import { allActions, targetPart } from '../../../src/domain/actions/table'
import type { ChangeRequest, JsonValue, NewChange } from '../../../src/domain/change-request'
import { diffOf } from '../../../src/domain/diff/diff'
import { compareFields, mergeFields } from '../../../src/domain/diff/fields'
import { findOverwrites, listOverwrites } from '../../../src/domain/diff/overwrites'
import type { FeatureState, FlagState } from '../../../src/domain/flag-state'
import { change, changeRequest, flags } from '../support/change-requests'

const s1 = {
  id: 's1',
  name: 'default',
  disabled: false,
  title: 'everybody',
  sortOrder: 0,
  parameters: { rollout: '50' },
}
const s2 = { id: 's2', name: 'default', disabled: false, title: 'some', sortOrder: 1, parameters: { rollout: '5' } }
const blue = { name: 'blue', weight: 500 }
const grey = { name: 'grey', weight: 500 }
const feature: FeatureState = {
  archived: false,
  enabled: true,
  strategies: [s1, s2],
  variants: [blue, grey],
  dependencies: [{ feature: 'parent', enabled: true, variants: [] }],
  releasePlans: ['p1'],
  milestones: ['m1'],
  milestoneStrategies: [{ ...s1, id: 'ms1' }],
}
const segment = { name: 'beta users', description: 'early', constraints: [] }
const stateOf = (altered: Partial<FeatureState> = {}, present: object | null = segment): FlagState =>
  flags({ ...feature, ...altered }, { segments: new Map(present ? [[4, present as typeof segment]] : []) })
const before = stateOf()

/** Changes of `checkout`, or of segment 4, proposed while the flags were in this state. */
function proposed(state: FlagState, ...changes: readonly Omit<NewChange, 'feature'>[]): ChangeRequest {
  const all = changes.map(({ action, payload }, index) => {
    const proposal = { action, payload, feature: action.endsWith('Segment') ? null : 'checkout' }
    const base = targetPart(proposal, state)
    return change(index + 1, { ...proposal, ...(base === undefined ? {} : { base }) })
  })
  return changeRequest({ changes: all })
}

const update = (payload: JsonValue) => ({ action: 'updateStrategy', payload }) as const
const rollout = (value: string) => update({ id: 's1', parameters: { rollout: value } })

describe('diffOf(changeRequest, state)', () => {
  it('shows the target after a change, and the fields that it edits', () => {
    expect(diffOf(proposed(before, rollout('20')), before)).toEqual([
      {
        id: 1,
        action: 'updateStrategy',
        feature: 'checkout',
        before: s1,
        after: { ...s1, parameters: { rollout: '20' } },
        fields: [{ path: '/parameters/rollout', base: '50', current: '50', proposed: '20', overwrites: false }],
        conflict: null,
        baseKnown: true,
      },
    ])
  })

  it('shows the result of the previous change to the next one, in the order of the apply', () => {
    const off = { action: 'updateEnabled', payload: { enabled: false } } as const
    const [first, second, last] = diffOf(proposed(before, rollout('20'), rollout('30'), off), before)
    expect([first?.after, second?.before]).toEqual([second?.before, { ...s1, parameters: { rollout: '20' } }])
    expect(second?.fields).toMatchObject([{ base: '50', current: '20', proposed: '30', overwrites: false }])
    expect(last).toMatchObject({ before: { enabled: true }, after: { enabled: false } })
  })

  it('omits a switch that a later one replaces', () => {
    const to = (enabled: boolean) => ({ action: 'updateEnabled', payload: { enabled } }) as const
    expect(diffOf(proposed(before, to(false), to(true)), before)[0]).toMatchObject({
      before: { enabled: true },
      after: { enabled: true },
      fields: [],
    })
  })

  it('distinguishes unknown from absent', () => {
    const onOff = flags({ enabled: false })
    const variants: Omit<NewChange, 'feature'> = { action: 'patchVariant', payload: { variants: [blue] } }
    const unknown = { before: null, after: null, fields: [], baseKnown: false }
    expect(diffOf(proposed(onOff, variants), onOff)).toMatchObject([unknown])
    expect(diffOf(proposed(before, variants), undefined)).toMatchObject([unknown])
    const payload = { name: 'default', constraints: [], parameters: {} }
    const added: Omit<NewChange, 'feature'> = { action: 'addStrategy', payload }
    expect(diffOf(proposed(before, added), before)).toMatchObject([
      { before: null, after: { name: 'default', disabled: false }, baseKnown: true },
    ])
  })

  it('compares and names elements of lists by id, name or parent', () => {
    const payload = { variants: [grey, { ...blue, weight: 400 }] }
    const [diff] = diffOf(proposed(before, { action: 'patchVariant', payload }), before)
    // The order of variants counts, too.
    expect(diff?.fields.map(({ path }) => path)).toEqual(['/variants', '/variants/blue/weight'])
  })

  it('returns why a change cannot be applied', () => {
    const [diff] = diffOf(proposed(before, rollout('20')), stateOf({ strategies: [s2] }))
    const gone = { before: null, after: null, conflict: 'Strategy has been deleted' }
    expect(diff).toMatchObject(gone)
    const ofPlan = { action: 'updateMilestoneStrategy', payload: { id: 'ms1', title: 'x' } } as const
    expect(diffOf(proposed(before, ofPlan), stateOf({ milestoneStrategies: [] }))).toMatchObject([gone])
    const { milestoneStrategies, ...untold } = feature
    expect(diffOf(proposed(before, ofPlan), flags(untold))).toMatchObject([{ conflict: null, baseKnown: false }])
  })
})

const overwritesIn = (current: ChangeRequest, state: FlagState) =>
  listOverwrites(current, findOverwrites(current, state))

const ofMilestone = (altered: object) => stateOf({ milestoneStrategies: [{ ...s1, id: 'ms1', ...altered }] })
const moved = (strategy: typeof s1, sortOrder: number) => ({ ...strategy, sortOrder })

/**
 * For each action: another user edited the same field, edited another field, deleted the target, made the same edit, or
 * only changed an order; each with the overwritten fields.
 */
const table: readonly {
  readonly change: Omit<NewChange, 'feature'>
  readonly sameField: readonly [FlagState, ...string[]]
  readonly otherField: FlagState
  readonly deleted: FlagState
  readonly sameValue: FlagState
  readonly orderOnly: FlagState | readonly [FlagState, ...string[]]
}[] = [
  {
    change: { action: 'updateSegment', payload: { id: 4, name: 'testers', constraints: [] } },
    sameField: [stateOf({}, { ...segment, name: 'alpha users' }), '/name'],
    otherField: stateOf({}, { ...segment, description: 'late' }),
    deleted: stateOf({}, null),
    sameValue: stateOf({}, { ...segment, name: 'testers' }),
    orderOnly: before,
  },
  {
    change: { action: 'deleteSegment', payload: { id: 4 } },
    sameField: [stateOf({}, { ...segment, name: 'alpha users' }), '/name'],
    otherField: before,
    deleted: stateOf({}, null),
    sameValue: stateOf({}, null),
    orderOnly: before,
  },
  {
    change: { action: 'updateEnabled', payload: { enabled: true } },
    // A flag that was enabled at the proposal and is disabled now: it is enabled again afterwards.
    sameField: [stateOf({ enabled: false }), '/enabled'],
    otherField: stateOf({ variants: [] }),
    deleted: stateOf({ archived: true }),
    sameValue: before,
    orderOnly: stateOf({ strategies: [s2, s1] }),
  },
  {
    change: { action: 'addStrategy', payload: { name: 'default', constraints: [], parameters: {} } },
    sameField: [stateOf({ strategies: [s1] })],
    otherField: stateOf({ enabled: false }),
    deleted: stateOf({ strategies: [] }),
    sameValue: before,
    orderOnly: stateOf({ strategies: [s2, s1] }),
  },
  {
    change: rollout('20'),
    sameField: [stateOf({ strategies: [{ ...s1, parameters: { rollout: '70' } }, s2] }), '/parameters/rollout'],
    otherField: stateOf({ strategies: [{ ...s1, title: 'all' }, s2] }),
    deleted: stateOf({ strategies: [s2] }),
    sameValue: stateOf({ strategies: [{ ...s1, parameters: { rollout: '20' } }, s2] }),
    orderOnly: stateOf({ strategies: [s2, moved(s1, 2)] }),
  },
  {
    change: { action: 'updateMilestoneStrategy', payload: { id: 'ms1', parameters: { rollout: '20' } } },
    sameField: [ofMilestone({ parameters: { rollout: '70' } }), '/parameters/rollout'],
    otherField: ofMilestone({ title: 'all' }),
    deleted: stateOf({ milestoneStrategies: [] }),
    sameValue: ofMilestone({ parameters: { rollout: '20' } }),
    orderOnly: stateOf({ strategies: [s2, s1] }),
  },
  {
    change: { action: 'deleteStrategy', payload: { id: 's1' } },
    sameField: [stateOf({ strategies: [{ ...s1, title: 'all' }, s2] }), '/title'],
    otherField: stateOf({ strategies: [s1, { ...s2, title: 'few' }] }),
    deleted: stateOf({ strategies: [s2] }),
    sameValue: stateOf({ strategies: [s2] }),
    orderOnly: stateOf({ strategies: [s2, s1] }),
  },
  {
    change: { action: 'archiveFeature', payload: {} },
    sameField: [stateOf({ enabled: false })],
    otherField: stateOf({ variants: [] }),
    deleted: stateOf({ archived: true }),
    sameValue: stateOf({ archived: true }),
    orderOnly: stateOf({ strategies: [s2, s1] }),
  },
  {
    change: { action: 'patchVariant', payload: { variants: [{ ...blue, weight: 400 }, grey] } },
    sameField: [stateOf({ variants: [{ ...blue, weight: 600 }, grey] }), '/variants/blue/weight'],
    otherField: stateOf({ enabled: false }),
    deleted: stateOf({ archived: true }),
    sameValue: stateOf({ variants: [{ ...blue, weight: 400 }, grey] }),
    orderOnly: [stateOf({ variants: [grey, blue] }), '/variants'],
  },
  {
    change: { action: 'reorderStrategy', payload: [{ id: 's1', sortOrder: 5 }] },
    sameField: [stateOf({ strategies: [moved(s1, 3), s2] }), '/order/s1/sortOrder'],
    otherField: stateOf({ strategies: [s1, moved(s2, 9)] }),
    deleted: stateOf({ strategies: [s2] }),
    sameValue: stateOf({ strategies: [moved(s1, 5), s2] }),
    orderOnly: stateOf({ strategies: [s2, s1] }),
  },
  {
    change: { action: 'addDependency', payload: { feature: 'parent', enabled: false } },
    sameField: [
      stateOf({ dependencies: [{ feature: 'parent', enabled: true, variants: ['blue'] }] }),
      '/dependencies/parent/variants',
    ],
    otherField: stateOf({ dependencies: [...(feature.dependencies ?? []), { feature: 'other', enabled: true }] }),
    deleted: stateOf({ archived: true }),
    sameValue: stateOf({ dependencies: [{ feature: 'parent', enabled: false, variants: [] }] }),
    orderOnly: before,
  },
  {
    change: { action: 'deleteDependency', payload: {} },
    sameField: [
      stateOf({ dependencies: [...(feature.dependencies ?? []), { feature: 'other' }] }),
      '/dependencies/other',
    ],
    otherField: stateOf({ enabled: false }),
    deleted: stateOf({ archived: true }),
    sameValue: stateOf({ dependencies: [] }),
    orderOnly: before,
  },
]
const cells = table.flatMap(({ change: { action, ...rest }, sameField: [same, ...paths], ...others }) => {
  const states = Object.entries(others).map(([column, cell]) => {
    const [state, ...paths] = Array.isArray(cell) ? (cell as [FlagState, ...string[]]) : [cell as FlagState]
    return { column, state, paths }
  })
  return [{ column: 'sameField', state: same, paths }, ...states].map((cell) => ({ action, ...rest, ...cell }))
})

const overwrittenPaths = (current: ChangeRequest, state: FlagState) =>
  diffOf(current, state).flatMap(({ fields }) => fields.flatMap(({ path, overwrites }) => (overwrites ? [path] : [])))

describe('an apply overwrites what another user edited since, and it would edit again', () => {
  it.each(cells)('$action, $column: $paths', ({ action, payload, state, paths }) => {
    const current = proposed(before, { action, payload })
    expect(overwrittenPaths(current, state)).toEqual(paths)
    expect(overwritesIn(current, state)).toHaveLength(paths.length)
  })

  it('is checked for every action whose target the gateway describes', () => {
    const listed = new Set(table.map(({ change: { action } }) => action))
    const others = allActions.filter((action) => !listed.has(action))
    const payload = { id: 'ms1', planId: 'p1', milestoneId: 'm1', sourceMilestone: 'm1' }
    for (const action of others) {
      expect(Object.keys(targetPart({ action, feature: 'checkout', payload }, before) ?? {}).join()).toMatch(
        /^(?:id)?$/,
      )
    }
  })

  it('as serialized in JSON: dates and undefined properties are no edits', () => {
    const exact = {
      ...s1,
      createdAt: new Date(0),
      variants: [{ weight: 1, payload: undefined }],
      stickiness: undefined,
    }
    const state = stateOf({ strategies: [exact as unknown as typeof s1] })
    const removal = proposed(state, { action: 'deleteStrategy', payload: { id: 's1' } })
    expect(overwritesIn(JSON.parse(JSON.stringify(removal)), state)).toEqual([])
  })

  it('not if null replaces a missing value, or vice versa', () => {
    const { title, ...untitled } = s1
    const [absent, empty] = [untitled, { ...s1, title: null }].map((one) =>
      stateOf({ strategies: [one as unknown as typeof s1, s2] }),
    ) as [FlagState, FlagState]
    expect(overwritesIn(proposed(absent, update({ id: 's1', title: 'x' })), empty)).toEqual([])
    expect(diffOf(proposed(before, update({ id: 's1', title: null })), absent)[0]?.fields).toEqual([])
  })

  it('also if a previous change makes the same edit', () => {
    const state = stateOf({ strategies: [{ ...s1, parameters: { rollout: '70' } }, s2] })
    const current = proposed(before, rollout('50'), rollout('50'))
    expect(overwrittenPaths(current, state)).toEqual(['/parameters/rollout', '/parameters/rollout'])
    expect(overwritesIn(current, state)).toHaveLength(2)
  })

  it('not if the base is unknown', () => {
    const state = stateOf({ strategies: [{ ...s1, parameters: { rollout: '70' } }, s2] })
    const current = changeRequest({ changes: [change(1, rollout('20'))] })
    expect(diffOf(current, state)).toMatchObject([{ before: null, baseKnown: false }])
    expect(overwritesIn(current, state)).toEqual([])
  })

  it('and reports field, target and the three values', () => {
    const state = stateOf({ strategies: [{ ...s1, parameters: { rollout: '70' } }, s2] })
    expect(overwritesIn(proposed(before, rollout('20')), state)).toEqual([
      'the rollout of “everybody” of checkout was 50 %, is 70 % now, and would become 20 %',
    ])
  })

  describe('and reports the difference inside a variant that is too long to show', () => {
    const variant = (name: string, weight: number, value = 'x') => {
      const overrides = [{ contextName: 'userId', values: ['1', '2', '3', '4', '5', '6', '7', '8', '9'] }]
      return { name, weightType: 'fix', stickiness: 'default', overrides, weight, payload: { type: 'string', value } }
    }
    const withVariants = (...variants: JsonValue[]) => stateOf({ variants })
    const patch = (...variants: JsonValue[]) => ({ action: 'patchVariant', payload: { variants } }) as const
    const [red, blue] = [variant('red', 500), variant('blue', 500)]
    const sentencesOf = (change: ReturnType<typeof patch>, now: FlagState, then = withVariants(red, blue)) =>
      overwritesIn(proposed(then, change), now)

    it('that the change removes, and another user edited', () => {
      expect(sentencesOf(patch(blue), withVariants(variant('red', 600, 'y'), blue))).toEqual([
        'the weight of the variant “red” of checkout was 50 %, is 60 % now, and would become none',
        'the value of the variant “red” of checkout was “x”, is “y” now, and would become none',
      ])
      const { stickiness, ...bare } = red
      expect(sentencesOf(patch(), withVariants(bare, blue))).toEqual([
        'the stickiness of the variant “red” of checkout was “default”, is none now, and would become none',
      ])
    })

    it('that the change edits, and another user removed, or added as well', () => {
      expect(sentencesOf(patch(variant('red', 100), blue), withVariants(blue))).toEqual([
        'the weight of the variant “red” of checkout was 50 %, is none now, and would become 10 %',
      ])
      expect(sentencesOf(patch(variant('red', 100), blue), withVariants(red, blue), withVariants(blue))).toEqual([
        'the weight of the variant “red” of checkout was none, is 50 % now, and would become 10 %',
      ])
    })

    it('whose payload is replaced by another type', () => {
      const replaced = { ...red, payload: 'none' }
      expect(sentencesOf(patch(replaced, blue), withVariants(variant('red', 500, 'y'), blue))).toEqual([
        'the payload of the variant “red” of checkout was type “string”, value “x”, is type “string”, value “y” now, ' +
          'and would become “none”',
      ])
    })

    it('and as a whole if it was only removed or only added', () => {
      const shown = 'name “red”, weight type “fix”, stickiness “default”, overrides context field “userId”, '
      const [first] = sentencesOf(patch(red, variant('blue', 1)), withVariants(blue))
      expect(first).toContain(`the variant “red” of checkout was ${shown}`)
      expect(first).toContain(`…, is none now, and would become ${shown}`)
      const [second] = sentencesOf(patch(blue), withVariants(red, blue), withVariants(blue))
      expect(second).toContain(`the variant “red” of checkout was none, is ${shown}`)
      expect(second).toMatch(/… now, and would become none$/)
    })
  })
})

describe('compareFields(base, current, proposed)', () => {
  it('escapes names in paths as JSON pointers do', () => {
    expect(compareFields({}, {}, { 'a/b~c': 1 })).toMatchObject([{ path: '/a~1b~0c' }])
  })

  it('compares lists without keys, and values of different kinds, as a whole', () => {
    expect(compareFields({ a: [1, 2] }, { a: [1, 3] }, { a: [1, 3] })).toMatchObject([{ path: '/a' }])
    expect(compareFields({ a: [{ id: '1' }] }, { a: { id: '1' } }, { a: [{ id: '1' }] })).toMatchObject([
      { path: '/a' },
    ])
    expect(compareFields({ a: [{ id: '1' }, { id: '1' }] }, { a: [] }, { a: [] })).toMatchObject([{ path: '/a' }])
  })
})

describe('mergeFields(base, theirs, ours, choose)', () => {
  const merge = (base: JsonValue, theirs: JsonValue, ours: JsonValue) => mergeFields(base, theirs, ours, () => 'both')

  it('takes each field from the side that edited it, and needs a decision on fields that both edited', () => {
    expect(merge({ a: 1, b: 1, c: 1 }, { a: 2, b: 1, c: 2 }, { a: 1, b: 3, c: 3 })).toEqual({ a: 2, b: 3, c: 'both' })
    expect(merge({ a: 1, b: 1 }, { b: 1 }, { a: 1 })).toEqual({})
    expect(merge([{ id: 1 }], [{ id: 1 }, { id: 2 }], [{ id: 3 }, { id: 1 }])).toEqual([
      { id: 3 },
      { id: 1 },
      { id: 2 },
    ])
  })
  it.each<[string, JsonValue, JsonValue, JsonValue]>([
    ['the base', 1, { a: 1 }, { a: 2 }],
    ['theirs', { a: 1 }, 1, { a: 2 }],
    ['ours', { a: 1 }, { a: 2 }, 1],
  ])('chooses between values as a whole if %s is of another kind', (_, base, theirs, ours) => {
    expect(merge(base, theirs, ours)).toBe('both')
  })

  it('leaves out what one side removed', () => {
    expect(merge({ a: 1, b: 1 }, { b: 1 }, { a: 1, b: 2 })).toStrictEqual({ b: 2 })
  })

  it.each([
    ['ours, if only they were moved there', 'abc', 'abC', 'cab', 'Cab'],
    ['theirs, if only they were moved there', 'abc', 'cab', 'abC', 'Cab'],
    ['ours, if both moved the same', 'abc', 'caB', 'Cab', 'CaB'],
    ['the chosen side, if both moved them', 'abc', 'bac', 'cba', 'cba'],
    ['ours, of the elements that both have', 'abc', 'abC', 'cadb', 'Cadb'],
    ['theirs, for what they added before, between and after others', 'abc', 'xaybcz', 'abC', 'xaybCz'],
  ])('has the elements of lists in the order of %s', (_, base, theirs, ours, merged) => {
    /** One element for each letter; a capital is an edited one. */
    const list = (letters: string): JsonValue =>
      [...letters].map((letter) => ({ name: letter.toLowerCase(), isEdited: letter !== letter.toLowerCase() }))
    const byOurs = mergeFields(list(base), list(theirs), list(ours), (_, chosen) => chosen)
    expect(byOurs).toEqual(list(merged))
    // The two sides are symmetrical.
    expect(mergeFields(list(base), list(ours), list(theirs), (chosen) => chosen)).toEqual(list(merged))
  })
})
