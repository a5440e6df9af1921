import type { RuleCauseView } from '../../../src/generated'
import { causeWords } from '../../../src/page/app/words/because'
import { type ReviewChangeLike, type TargetItem, toTargets } from '../../../src/page/app/words/content/items'
import { textOf } from '../../../src/page/app/words/spans'

type Json = ReviewChangeLike['after']

interface Sample {
  readonly action: string
  readonly payload?: object
  readonly before?: Json
  readonly after?: Json
  readonly feature?: string
  /** By path, the value now and the value after the change. */
  readonly fields?: Readonly<Record<string, readonly [now: unknown, after: unknown]>>
}

const part = { name: 'flexibleRollout', title: 'Nordics', parameters: { rollout: '20' } }

function targetsOf(...samples: readonly Sample[]): readonly TargetItem[] {
  const reviewed = samples.map(({ action, before = part, after = part, feature = 'checkout', fields = {} }, id) => {
    const altered = Object.entries(fields).map(([path, [current, proposed]]) => {
      return { path, base: current, current, proposed, overwrites: false }
    })
    return { id, action, feature, before, after, fields: altered, conflict: null } as ReviewChangeLike
  })
  const stored = (feature: string) =>
    samples.flatMap(({ action, payload = { id: 's' }, feature: own = 'checkout' }, id) =>
      own === feature ? { id, action, payload: payload as never } : [],
    )
  const names = new Set(samples.map(({ feature = 'checkout' }) => feature))
  return toTargets(reviewed, {
    features: [...names].map((name) => ({ name, changes: stored(name) })),
    segments: [],
  })
}

const roll = (from: string, to: string, more: Partial<Sample> = {}): Sample => ({
  action: 'updateStrategy',
  fields: { '/parameters/rollout': [from, to] },
  ...more,
})

function say(targets: readonly TargetItem[], path: string | null, cause: Partial<RuleCauseView> = {}): string {
  const words = causeWords({ change: 0, feature: 'checkout', path, ...cause }, targets)
  return textOf(words).replaceAll('\u00a0', ' ')
}

describe('what made a rule match', () => {
  it.each<[words: string, sample: Sample, path: string | null]>([
    ['the rollout grows by 40 points', roll('20', '60'), '/parameters/rollout'],
    ['the rollout shrinks by 1 point', roll('20', '19'), '/parameters/rollout'],
    ['it changes the rollout: none → 19 %', roll(null as never, '19'), '/parameters/rollout'],
    [
      'the share of variant “blue” grows by 10 points',
      { action: 'patchVariant', fields: { '/variants/blue/weight': [500, 600] } },
      '/variants/blue/weight',
    ],
    [
      'it changes the title: Nordics → Finland',
      { action: 'updateStrategy', fields: { '/title': ['Nordics', 'Finland'] } },
      '/title',
    ],
    ['it changes the constraints', { action: 'updateStrategy', fields: { '/constraints': [[], []] } }, '/constraints'],
    ['it changes the stickiness', roll('20', '60'), '/parameters/stickiness'],
    [
      'the strategy “Nordics” is switched off',
      { action: 'updateStrategy', fields: { '/disabled': [false, true] } },
      '/disabled',
    ],
    [
      'checkout is switched on',
      { action: 'updateEnabled', payload: { enabled: true }, fields: { '/enabled': [false, true] } },
      '/enabled',
    ],
    ['the strategy “Nordics” is added', { action: 'addStrategy', before: null }, '/parameters/rollout'],
    ['the strategy “Nordics” is deleted', { action: 'deleteStrategy', after: null }, '/constraints'],
    ['the strategy “Nordics” is deleted', { action: 'deleteStrategy', after: null }, null],
    ['the strategy “Nordics” is edited', roll('20', '60'), null],
    ['checkout is switched off', { action: 'updateEnabled', payload: { enabled: false } }, null],
    ['checkout is archived in all environments', { action: 'archiveFeature', payload: {} }, null],
    ['the variants are replaced', { action: 'patchVariant', payload: { variants: [] } }, null],
    ['all parents are removed', { action: 'deleteDependency', payload: {} }, null],
    ['it has the change paintFlag', { action: 'paintFlag', payload: {} }, null],
  ])('“%s”', (words, sample, path) => {
    expect(say(targetsOf(sample), path)).toBe(words)
  })

  it('is what all changes of the same strategy do together', () => {
    const targets = targetsOf(
      roll('20', '30'),
      roll('20', '99', { payload: { id: 'other' } }),
      roll('30', '45'),
      roll('45', '60'),
    )
    expect(say(targets, '/parameters/rollout', { change: 3 })).toBe('the rollout grows by 40 points')
  })

  it('names the flag where there are several', () => {
    const targets = targetsOf(roll('20', '60'), { ...roll('20', '60'), feature: 'search' })
    expect(say(targets, '/parameters/rollout')).toBe('the rollout grows by 40 points in checkout')
    expect(say(targets, null, { change: 1, feature: 'search' })).toBe('the strategy “Nordics” is edited in search')
  })

  it('names segments', () => {
    const stored = { id: 4, action: 'updateSegment', payload: { id: 7, name: 'Beta' } }
    const targets = toTargets([], { features: [], segments: [stored] })
    const words = causeWords({ change: 4, segment: 7, path: '/constraints' }, targets)
    expect(textOf(words)).toBe('the segment “Beta” is edited in all environments')
  })

  it.each([
    ['a default strategy is added to checkout', { action: 'addStrategy', payload: part }],
    ['checkout is switched off', { action: 'updateEnabled', payload: { enabled: false } }],
    ['', undefined],
  ])('of an implied change: “%s”', (words, implied) => {
    const targets = targetsOf(roll('20', '60')).map((target) => ({ ...target, implied }) as TargetItem)
    expect(say(targets, '/parameters/rollout', { change: null })).toBe(words)
  })

  it('is not said where the page does not know the change', () => {
    expect([
      say(targetsOf(roll('20', '60')), null, { change: 9 }),
      say(targetsOf(roll('20', '60')), null, { feature: 'gone' }),
    ]).toEqual(['', ''])
  })
})
