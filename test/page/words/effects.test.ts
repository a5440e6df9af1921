import { becomesEverybody, changeWords } from '../../../src/page/app/words/changes'
import { type EffectChange, effectWords } from '../../../src/page/app/words/effects/effects'
import { textOf } from '../../../src/page/app/words/spans'

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

describe('what will be different, in one line', () => {
  it('says how far a rollout goes and for whom', () => {
    expect(say([edit('25', '75', country('NO', 'SE'))])).toBe('25 % → 75 % of users in NO, SE')
  })

  it('says when a rollout goes down', () => {
    expect(say([edit('40', '30')])).toBe('40 % → 30 % of everybody, 10 points down')
  })

  it('marks who comes to it', () => {
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
      'on, where the default strategy comes along',
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
  ])('says that a flag is switched %s', (_name, more, along, expected) => {
    expect(say([change('updateEnabled', more)], along)).toBe(expected)
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
    ['updateStrategy', { before: strategy('10'), after: strategy('10') }, 'nothing: it already has this value'],
    ['launchRocket', {}, 'launchRocket'],
  ])('says what %s does', (action, more, expected) => {
    expect(say([change(action, more)])).toBe(expected)
  })

  it('says first why it cannot be applied', () => {
    const conflict = change('updateStrategy', { conflict: 'Strategy has been deleted' })
    expect(say([edit('1', '2'), conflict])).toBe('cannot be applied: strategy has been deleted')
  })

  it('counts what has no room', () => {
    expect(say([1, 2, 3, 4, 5].map(() => edit('1', '2')))).toContain('; 2 more changes')
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
  ])('of %s says what is done to what', (action, payload, target, expected) => {
    const { what, how } = changeWords({ action, payload }, target)
    expect(`${what} ${how}`).toBe(expected)
  })

  it('warns when it comes to be for everybody', () => {
    expect(becomesEverybody(edit('99', '100'))).toBe(true)
    expect(becomesEverybody(edit('99', '100', country('NO')))).toBe(false)
    expect(becomesEverybody(edit('100', '100', { title: 'a' }, { title: 'b' }))).toBe(false)
  })
})
