import fc from 'fast-check'
import type { Change, JsonValue, NewChange } from '../../../src/domain/change-request'
import type { FlagState, StrategyState } from '../../../src/domain/flag-state'
import { baseOf } from '../../../src/domain/flags/base'
import type { FieldCondition } from '../../../src/domain/rules/altered-fields'
import { matchingRules, type RuleCondition } from '../../../src/domain/rules/condition'
import { hashOf } from '../../../src/kernel/digest'
import { random } from '../../support/random'
import { change, changeRequest, flags, personOf } from '../support/change-requests'

const gradual = (id: string, rollout: JsonValue, more: object = {}): StrategyState =>
  ({ id, name: 'flexibleRollout', disabled: false, constraints: [], parameters: { rollout }, ...more }) as StrategyState
const blue = { name: 'blue', weight: 500, weightType: 'variable', stickiness: 'default' }
const grey = { ...blue, name: 'grey' }

/** `checkout` is on for 20 %, has variants and depends on `login`; segment 4 has a number of its own. */
const state = flags(
  {
    enabled: true,
    strategies: [gradual('s1', '20', { title: 'All', variants: [blue] }), gradual('s2', '50', { disabled: true })],
    variants: [blue, grey],
    dependencies: [{ feature: 'login', enabled: true, variants: [] }],
  },
  { segments: new Map([[4, { name: 'beta', project: 'shop', size: 3, constraints: [] }]]) },
)

function proposal(changes: readonly NewChange[], on: FlagState | null = state) {
  return changeRequest({
    changes: changes.map((one, index) => change(index + 1, { ...one, ...baseOf(one, on ?? undefined, hashOf) })),
  })
}

function causes(changes: readonly NewChange[], when: RuleCondition, on: FlagState | null = state) {
  const [found] = matchingRules([{ when }], proposal(changes, on), on ?? undefined)
  return found?.because
}

const ofFlag = (action: NewChange['action'], payload: unknown): NewChange => {
  return { action, feature: 'checkout', payload: payload as JsonValue }
}
const edit = (more: object, id = 's1') => ofFlag('updateStrategy', { id, ...more })
const rolloutTo = (rollout: JsonValue, id = 's1') => edit({ parameters: { rollout } }, id)
const add = (more: object) =>
  ofFlag('addStrategy', { name: 'flexibleRollout', constraints: [], parameters: {}, ...more })
const removal = ofFlag('deleteStrategy', { id: 's1' })
const segment = (more: object): NewChange => {
  return { action: 'updateSegment', feature: null, payload: { id: 4, name: 'beta', constraints: [], ...more } }
}
const switchTo = (enabled: boolean, more: object = {}) => ofFlag('updateEnabled', { enabled, ...more })
const variants = (...all: object[]) => ofFlag('patchVariant', { variants: all })
const rollout = '/parameters/rollout'

describe('a condition on fields', () => {
  it.each<[string, readonly NewChange[], FieldCondition, boolean]>([
    ['altered', [rolloutTo('30')], { path: rollout }, true],
    ['set to what it is', [rolloutTo('20')], { path: rollout }, false],
    ['another field', [edit({ title: 'New' })], { path: rollout }, false],
    ['by more', [rolloutTo('46')], { path: rollout, by: 25 }, true],
    ['by exactly that', [rolloutTo('45')], { path: rollout, by: 25 }, false],
    ['downwards', [rolloutTo('3')], { path: rollout, by: 16 }, true],
    ['by any number', [rolloutTo('21')], { path: rollout, by: 0 }, true],
    ['by a fraction', [rolloutTo('20.5')], { path: rollout, by: 0.4 }, true],
    ['a negative number', [rolloutTo('-5')], { path: rollout, by: 24 }, true],
    ['a number instead of a text', [rolloutTo(70)], { path: rollout, by: 50 }, false],
    ['above', [rolloutTo('91')], { path: rollout, above: 90 }, true],
    ['not above', [rolloutTo('90')], { path: rollout, above: 90 }, false],
    ['below', [rolloutTo('9')], { path: rollout, below: 10 }, true],
    ['not below', [rolloutTo('10')], { path: rollout, below: 10 }, false],
    ['both numbers hold', [rolloutTo('95')], { path: rollout, by: 25, above: 90 }, true],
    ['one number does not hold', [rolloutTo('80')], { path: rollout, by: 25, above: 90 }, false],
    ['a text that is no number', [rolloutTo('half')], { path: rollout, by: 99 }, true],
    ['a text in another notation', [rolloutTo('2e1')], { path: rollout, above: 99 }, true],
    ['a text with more digits than are exact', [rolloutTo('20.000000000000001')], { path: rollout, by: 1 }, true],
    ['a text with as many digits as are exact', [rolloutTo('20.000000000001')], { path: rollout, by: 1 }, false],
    ['a text with several decimal places', [rolloutTo('20.55')], { path: rollout, by: 1 }, false],
    ['a text that ends with a point', [rolloutTo('21.')], { path: rollout, by: 99 }, true],
    ['a text with something in front', [rolloutTo('$21')], { path: rollout, by: 99 }, true],
    ['a text with something behind', [rolloutTo('21%')], { path: rollout, by: 99 }, true],
    ['an empty text', [rolloutTo('')], { path: rollout, above: 99 }, true],
    ['null', [rolloutTo(null)], { path: rollout, below: 0 }, true],
    ['missing now', [edit({ parameters: { rollout: '20', share: '5' } })], { path: '/parameters/share', by: 99 }, true],
    [
      'missing now, with its value after',
      [edit({ parameters: { share: '5' } })],
      { path: '/parameters/share', above: 9 },
      false,
    ],
    ['missing after', [edit({ parameters: {} })], { path: rollout, above: 99 }, true],
    ['a whole that was replaced', [edit({ parameters: [] })], { path: rollout, above: 99 }, true],

    ['small steps', [30, 40, 50, 60].map((to) => rolloutTo(`${to}`)), { path: rollout, by: 39 }, true],
    ['a detour', [rolloutTo('100'), rolloutTo('30')], { path: rollout, by: 25 }, false],
    ['a change that is undone', [rolloutTo('100'), rolloutTo('20')], { path: rollout }, false],
    ['two strategies with small steps', [rolloutTo('35'), rolloutTo('65', 's2')], { path: rollout, by: 20 }, false],

    ['a new strategy', [add({ parameters: { rollout: '20' } })], { path: rollout, by: 25 }, true],
    ['a new strategy below the number', [add({ parameters: { rollout: '20' } })], { path: rollout, above: 90 }, false],
    ['a new strategy above the number', [add({ parameters: { rollout: '95' } })], { path: rollout, above: 90 }, true],
    ['a new strategy without the field', [add({})], { path: rollout, above: 90 }, true],
    ['a new strategy, which has no such field', [add({})], { path: '/enabled' }, false],
    ['a new strategy, and its order', [add({})], { path: '/order/s1/sortOrder' }, false],
    ['a new strategy with a field that only the host knows', [add({})], { path: '/audience/size', above: 5 }, true],
    ['a strategy that is deleted', [removal], { path: rollout }, true],
    ['a strategy that is deleted, without a number after', [removal], { path: rollout, above: 99 }, true],
    ['a strategy that is deleted, which has no such field', [removal], { path: '/archived' }, false],
    ['a strategy that is edited and deleted', [rolloutTo('21'), removal], { path: rollout, by: 5 }, true],

    ['a segment', [segment({ name: 'alpha' })], { path: '/name' }, true],
    ['a number of a segment', [segment({ size: 10 })], { path: '/size', by: 5 }, true],
    ['a small number of a segment', [segment({ size: 5 })], { path: '/size', by: 5 }, false],
    ['a segment that is deleted', [{ ...segment({}), action: 'deleteSegment' }], { path: '/constraints' }, true],

    ['a switch', [switchTo(false)], { path: '/enabled' }, true],
    ['a switch that is on already', [switchTo(true)], { path: '/enabled' }, false],
    ['the last of several switches', [switchTo(false), switchTo(true)], { path: '/enabled' }, false],
    ['archiving', [ofFlag('archiveFeature', {})], { path: '/archived' }, true],
    ['the parents of an archived flag', [ofFlag('archiveFeature', {})], { path: '/dependencies' }, true],
    ['a strategy that a switch disables by nothing', [switchTo(false)], { path: '/disabled' }, false],

    [
      'a list',
      [edit({ constraints: [{ contextName: 'country', operator: 'IN', values: ['NO'] }] })],
      { path: '/constraints' },
      true,
    ],
    ['a list with a number', [edit({ segments: [4] })], { path: '/segments', above: 99 }, true],
    ['a list in another order', [edit({ segments: [] })], { path: '/segments' }, false],
    [
      'an element of a list',
      [variants({ ...blue, weight: 900 }, grey)],
      { path: '/variants/blue/weight', by: 300 },
      true,
    ],
    ['another element of a list', [variants({ ...blue, weight: 900 }, grey)], { path: '/variants/grey/weight' }, false],
    [
      'any element of a list',
      [variants({ ...blue, weight: 900 }, grey)],
      { path: '/variants/*/weight', by: 300 },
      true,
    ],
    [
      'no element of a list',
      [variants({ ...blue, weight: 700 }, grey)],
      { path: '/variants/*/weight', by: 300 },
      false,
    ],
    ['a list in another order, by element', [variants(grey, blue)], { path: '/variants/*/weight' }, false],
    ['a list in another order, as a whole', [variants(grey, blue)], { path: '/variants' }, true],
    [
      'a new element',
      [variants(blue, grey, { ...blue, name: 'red', weight: 10 })],
      { path: '/variants/*/weight', by: 300 },
      true,
    ],
    [
      'a new element below the number',
      [variants(blue, grey, { ...blue, name: 'red', weight: 10 })],
      { path: '/variants/*/weight', above: 700 },
      false,
    ],
    [
      'elements with the same name',
      [variants(blue, { ...blue, weight: 501 })],
      { path: '/variants/blue/weight', by: 300 },
      true,
    ],
    [
      'the same path in a strategy',
      [edit({ variants: [{ ...blue, weight: 900 }] })],
      { path: '/variants/*/weight', by: 300 },
      true,
    ],
    [
      'variants of a new strategy',
      [add({ variants: [{ ...blue, weight: 10 }] })],
      { path: '/variants/*/weight', above: 300 },
      false,
    ],
    ['the order of strategies', [ofFlag('reorderStrategy', [{ id: 's2', sortOrder: -1 }])], { path: '/order' }, true],
    [
      'a parent',
      [ofFlag('addDependency', { feature: 'login', enabled: false })],
      { path: '/dependencies/login/enabled' },
      true,
    ],

    ['below the path', [rolloutTo('60')], { path: '/parameters', by: 39 }, true],
    ['below the path by less', [rolloutTo('60')], { path: '/parameters', by: 40 }, false],
    [
      'a text below the path',
      [edit({ parameters: { rollout: '20', groupId: 'a' } })],
      { path: '/parameters', by: 40 },
      true,
    ],
    ['any name', [rolloutTo('60')], { path: '/*/rollout', by: 39 }, true],
    ['any one name only', [rolloutTo('60')], { path: '/*/*/rollout' }, false],
    ['a name with a slash', [edit({ parameters: { rollout: '20', 'a/b': '1' } })], { path: '/parameters/a~1b' }, true],
    ['a field that only the host knows', [edit({ audience: { size: 9 } })], { path: '/audience/size', above: 8 }, true],
  ])('%s', (_, changes, field, expected) => {
    expect(causes(changes, { fields: [field] }) !== undefined).toBe(expected)
  })

  it('has alternatives', () => {
    const fields = [{ path: '/enabled' }, { path: rollout, above: 90 }]
    const tried = [rolloutTo('91'), switchTo(false), rolloutTo('30')].map((one) => causes([one], { fields }))
    expect(tried.map((found) => found !== undefined)).toEqual([true, true, false])
  })

  it('is met by the whole flag of a change that meets all other conditions', () => {
    const both = [edit({ title: 'New' }), switchTo(false)]
    const fields = [{ path: '/enabled' }]
    expect(causes(both, { actions: ['updateStrategy'], fields })).toEqual([
      { change: 2, feature: 'checkout', path: '/enabled' },
    ])
    expect(causes(both, { features: ['search'], fields })).toBe(undefined)
    expect(causes(both, { segments: true, fields })).toBe(undefined)
    expect(causes([...both, segment({ enabled: false })], { segments: true, fields })).toEqual([
      { change: 3, segment: 4, path: '/enabled' },
    ])
  })

  it('is met by an implied change', () => {
    const last = flags({ enabled: true, strategies: [gradual('s1', '20')] })
    const off = [{ change: null, feature: 'checkout', path: '/enabled' }]
    expect(causes([removal], { fields: [{ path: '/enabled' }] }, last)).toEqual(off)
    const off2 = flags({ enabled: false, strategies: [] })
    expect(causes([switchTo(true)], { fields: [{ path: rollout, above: 99 }] }, off2)).toEqual([
      { change: null, feature: 'checkout', path: rollout },
    ])
  })

  it('is met by the parents that an archived flag loses', () => {
    const archive = ofFlag('archiveFeature', {})
    const fields = [{ path: '/dependencies' }]
    expect(causes([archive], { fields })).toEqual([{ change: 1, feature: 'checkout', path: '/dependencies/login' }])
    expect(causes([archive], { fields }, flags({ dependencies: [] }))).toBe(undefined)
    expect(causes([archive], { fields }, flags())).toBe(undefined)
  })

  it('is met by strategies that a switch activates', () => {
    const disabled = flags({ enabled: false, strategies: [gradual('s1', '20', { disabled: true })] })
    const on = switchTo(true, { shouldActivateDisabledStrategies: true })
    expect(causes([edit({ title: 'New' }), on], { fields: [{ path: '/disabled' }] }, disabled)).toEqual([
      { change: 2, feature: 'checkout', path: '/disabled' },
    ])
    const paths = ['/disabled', '/strategies/*/disabled']
    expect(paths.map((path) => causes([on], { fields: [{ path }] }, disabled))).toEqual([
      [{ change: 1, feature: 'checkout', path: '/disabled' }],
      [{ change: 1, feature: 'checkout', path: '/strategies/s1/disabled' }],
    ])
  })

  it.each<[string, NewChange, FlagState | null, string, boolean]>([
    ['without a gateway', rolloutTo('21'), null, rollout, true],
    ['without a gateway, whatever the change is', switchTo(true), null, rollout, true],
    ['if the gateway returns no strategies', rolloutTo('21'), flags(), rollout, true],
    ['if it returns none, and a switch has no such field', switchTo(true), flags(), rollout, false],
    ['if the flag does not exist', rolloutTo('21'), flags({}, { features: new Map() }), rollout, false],
  ])('in doubt matches: %s', (_, one, on, path, expected) => {
    const when = { fields: [{ path, above: 99 }] }
    expect(causes([one], when, on)).toEqual(expected ? [{ change: 1, feature: 'checkout', path: null }] : undefined)
  })

  it('in doubt matches: a change whose base is unknown', () => {
    const current = changeRequest({ changes: [change(1, rolloutTo('21'))] })
    const rule = (path: string) => ({ when: { fields: [{ path, above: 99 }] } })
    const found = matchingRules([rule(rollout), rule('/archived')], current, state)
    expect(found.map(({ because }) => because)).toEqual([[{ change: 1, feature: 'checkout', path: null }]])
  })

  it('in doubt matches: one of several changes whose base is unknown', () => {
    const [first, second] = proposal([rolloutTo('21'), rolloutTo('22')]).changes
    const { base: _, ...withoutBase } = second as Change
    const current = changeRequest({ changes: [first as Change, withoutBase] })
    expect(matchingRules([{ when: { fields: [{ path: rollout, above: 99 }] } }], current, state)).toHaveLength(1)
  })

  it('in doubt matches: what the gateway no longer returns', () => {
    const on = flags({ enabled: true, strategies: [], milestones: ['m1'] })
    const hours = ofFlag('changeMilestoneProgression', {
      sourceMilestone: 'm1',
      transitionCondition: { intervalMinutes: 90 },
    })
    const when = { fields: [{ path: '/transitionCondition/intervalMinutes', below: 60 }] }
    const found = [on, flags({ enabled: true, strategies: [] })].map((current) =>
      matchingRules([{ when }], proposal([hours], on), current),
    )
    expect(found.map((matching) => matching.length)).toEqual([0, 1])
  })

  it('in doubt matches: what the gateway never returns', () => {
    const safeguard = ofFlag('changeFeatureEnvSafeguard', { safeguard: { triggerCondition: { threshold: 3 } } })
    const paths = ['/safeguard/triggerCondition/threshold', rollout]
    const tried = paths.map((path) => causes([safeguard], { fields: [{ path, above: 5 }] }))
    expect(tried).toEqual([[{ change: 1, feature: 'checkout', path: null }], undefined])
  })

  it('counts what changes set that the gateway does not return as it is set last', () => {
    const on = flags({ enabled: true, strategies: [], milestones: ['m1'] })
    const hours = (intervalMinutes: number) =>
      ofFlag('changeMilestoneProgression', { sourceMilestone: 'm1', transitionCondition: { intervalMinutes } })
    const when = { fields: [{ path: '/transitionCondition/intervalMinutes', below: 60 }] }
    expect(causes([hours(30), hours(90)], when, on)).toBe(undefined)
    expect(causes([hours(90), hours(30)], when, on)).toEqual([
      { change: 2, feature: 'checkout', path: '/transitionCondition/intervalMinutes' },
    ])
  })

  it.each<[NewChange['action'], object, object]>([
    ['startMilestone', { planId: 'p1', milestoneId: 'm1' }, { planId: 'p1', milestoneId: 'm2' }],
    ['changeMilestoneProgression', { sourceMilestone: 'm1' }, { sourceMilestone: 'm2' }],
    ['resumeMilestoneProgression', { planId: 'p1' }, { planId: 'p2' }],
  ])('compares each with itself: %s of two', (action, ...payloads) => {
    const on = flags({ enabled: true, strategies: [], milestones: ['m1', 'm2'], releasePlans: ['p1', 'p2'] })
    const both = payloads.map((payload) => ofFlag(action, payload))
    expect(causes(both, { fields: [{ path: '/id' }] }, on)).toBe(undefined)
    expect(causes([...both].reverse(), { fields: [{ path: '/id' }] }, on)).toBe(undefined)
  })

  it('names a change once, and the first 1,000 characters of a field', () => {
    const long = 'a'.repeat(1_000)
    const fields = ['/parameters', '/parameters/*'].map((path) => ({ path }))
    expect(causes([edit({ parameters: { rollout: '20', [long]: '1' } })], { fields })).toEqual([
      { change: 1, feature: 'checkout', path: `/parameters/${long}`.slice(0, 1_000) },
    ])
  })

  it('names the changes that alter the field, at most 5', () => {
    const three = [rolloutTo('30'), edit({ title: 'New' }), rolloutTo('60')]
    expect(causes([...three, edit({ title: 'Newer' })], { fields: [{ path: rollout, by: 25 }] })).toEqual([
      { change: 3, feature: 'checkout', path: rollout },
    ])
    const many = Array.from({ length: 7 }, (_, index) => add({ title: `${index}` }))
    expect(causes(many, { fields: [{ path: '/title' }] })).toHaveLength(5)
    expect(causes(many, { actions: ['addStrategy'] })).toHaveLength(5)
    expect(causes([rolloutTo('30'), segment({})], { segments: true })).toEqual([{ change: 2, segment: 4, path: null }])
    expect(causes(many, { projects: ['shop'] })).toEqual([])
  })

  it('compares a closed change request with its snapshots', () => {
    const applied = changeRequest({
      state: 'Applied',
      changes: [change(1, { ...rolloutTo('60'), snapshot: gradual('s1', '20') as never })],
    })
    const rules = [30, 50].map((by) => ({ when: { fields: [{ path: rollout, by }] } }))
    expect(matchingRules(rules, applied, undefined)).toHaveLength(1)
  })

  it('does not depend on the person who edited', () => {
    const byAgent = proposal([rolloutTo('60')])
    const agent = { ...personOf('ann'), kind: 'agent' as const }
    const current = { ...byAgent, changes: byAgent.changes.map((one) => ({ ...one, createdBy: agent })) }
    const when = (authors: RuleCondition['authors'] & {}) => ({
      when: { authors, fields: [{ path: rollout, by: 25 }] },
    })
    expect(matchingRules([when(['person'])], current, state)).toEqual([])
    expect(matchingRules([when(['agent'])], current, state)).toHaveLength(1)
  })
})

const percent = fc.integer({ min: 0, max: 100 }).map(String)
const bounds = fc.record(
  {
    by: fc.integer({ min: 0, max: 60 }),
    above: fc.integer({ min: 0, max: 100 }),
    below: fc.integer({ min: 0, max: 100 }),
  },
  { requiredKeys: [] },
)
const paths = [
  rollout,
  '/parameters',
  '/parameters/*',
  '/title',
  '/disabled',
  '/constraints',
  '/enabled',
  '/archived',
].concat([
  '/variants',
  '/variants/*/weight',
  '/variants/blue/weight',
  '/name',
  '/strategies/*/disabled',
  '/dependencies',
])
const anyFields = fc.array(
  fc.record({ path: fc.constantFrom(...paths), numbers: bounds }).map(({ path, numbers }) => ({ path, ...numbers })),
  { minLength: 1, maxLength: 3 },
)
const weights = fc.integer({ min: 0, max: 1000 }).map((weight) => [{ ...blue, weight }, grey])
const edited = fc.record(
  {
    parameters: percent.map((to) => ({ rollout: to })),
    title: fc.constantFrom('All', 'Some'),
    disabled: fc.boolean(),
    constraints: fc.constantFrom([], [{ contextName: 'country', operator: 'IN', values: ['NO'] }]),
    variants: weights,
  },
  { requiredKeys: [] },
)

/** A change and the same effect in pieces: one property after the other, and numbers in steps. */
const cut = fc.oneof(
  fc
    .record({ id: fc.constantFrom('s1', 's2'), set: edited, detours: fc.array(percent, { maxLength: 3 }) })
    .map(({ id, set, detours }) => {
      const single = Object.entries(set).map(([name, value]) => edit({ [name]: value }, id))
      return {
        whole: [edit(set, id)],
        pieces: [...(set.parameters ? detours.map((to) => rolloutTo(to, id)) : []), ...single],
      }
    }),
  fc.record({ last: weights, detours: fc.array(weights, { maxLength: 3 }) }).map(({ last, detours }) => ({
    whole: [variants(...last)],
    pieces: [...detours, last].map((all) => variants(...all)),
  })),
  fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }).map((all) => ({
    whole: [switchTo(all.at(-1) as boolean)],
    pieces: all.map((enabled) => switchTo(enabled)),
  })),
  fc.constantFrom('alpha', 'beta', 'gamma').map((name) => ({
    whole: [segment({ name })],
    pieces: [segment({ name: 'detour' }), segment({ name })],
  })),
)

describe('a change request that is cut into pieces', () => {
  it('matches the same rules', () => {
    fc.assert(
      fc.property(fc.array(cut, { minLength: 1, maxLength: 4 }), anyFields, (all, fields) => {
        const [whole, pieces] = [all.flatMap((one) => one.whole), all.flatMap((one) => one.pieces)]
        const matches = (changes: readonly NewChange[]) => causes(changes, { fields }) !== undefined
        expect(matches(pieces)).toBe(matches(whole))
      }),
      random(300),
    )
  })
})
