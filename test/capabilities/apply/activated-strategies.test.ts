import { review } from '../../../src/capabilities/review/review'
import type { NewChange } from '../../../src/domain/change-request'
import type { FeatureState, StrategyState } from '../../../src/domain/flag-state'
import { actors, createFixture, type FixtureOptions, rejection } from '../../kernel/support/fixture'
import { HostFlags } from '../../kernel/support/flags'
import { createScheduledFixture, ScheduledFlags } from '../../kernel/support/schedules'

const disabled = (id: string, more: object = {}): StrategyState => ({ id, name: 'default', disabled: true, ...more })
const active = (id: string): StrategyState => ({ id, name: 'default', disabled: false })
const change = (action: NewChange['action'], payload: NewChange['payload']): NewChange => ({
  action,
  feature: 'checkout',
  payload,
})
const switchOn = change('updateEnabled', { enabled: true, shouldActivateDisabledStrategies: true })
const start = change('startMilestone', { planId: 'p1', milestoneId: 'm1' })
const ofMilestone = (id: string, milestoneId = 'm1') => disabled(id, { milestoneId, disabled: false })

/** A host whose flag a test sets. */
function host(feature: Partial<FeatureState>, options: FixtureOptions = {}, hostFlags = new HostFlags()) {
  const now = { feature }
  hostFlags.instead = async () => ({
    features: new Map([['checkout', { archived: false, enabled: false, ...now.feature }]]),
    segments: new Map(),
  })
  const fixture = createFixture({ flags: hostFlags, ...options })
  return {
    ...fixture,
    becomes: (next: Partial<FeatureState>) => {
      now.feature = next
    },
    review: () => review(fixture.services, { actor: actors.ben, project: 'shop', id: 1 }),
    apply: () => fixture.to('ben', 'Applied'),
  }
}

const strategies = (...all: StrategyState[]) => ({ strategies: all })
const plan = (...milestoneStrategies: StrategyState[]) => ({
  releasePlans: ['p1'],
  milestones: ['m1', 'm2'],
  milestoneStrategies,
})
const toggled = { ...(switchOn.payload as object) }
const s1Off = change('updateStrategy', { id: 's1', disabled: true })

/** What was approved, the flag then, and the flag when it is applied. */
const outdated: readonly [string, readonly NewChange[], Partial<FeatureState>, Partial<FeatureState>][] = [
  ['a strategy was added', [switchOn], strategies(disabled('s1')), strategies(disabled('s1'), disabled('s2'))],
  ['a strategy was edited', [switchOn], strategies(disabled('s1')), strategies(disabled('s1', { title: 'all' }))],
  ['a strategy was removed', [switchOn], strategies(disabled('s1'), disabled('s2')), strategies(disabled('s1'))],
  [
    'the strategies have another order',
    [switchOn],
    strategies(disabled('s1'), disabled('s2')),
    strategies(disabled('s2'), disabled('s1')),
  ],
  ['the active strategy was removed', [switchOn], strategies(active('s1'), disabled('s2')), strategies(disabled('s2'))],
  [
    'the flag was switched off',
    [switchOn],
    { ...strategies(disabled('s1')), enabled: true },
    strategies(disabled('s1')),
  ],
  [
    'another change removes the active strategy',
    [change('deleteStrategy', { id: 's1' }), switchOn],
    strategies(active('s1')),
    strategies(active('s1'), disabled('s2')),
  ],
  [
    'another change disables the active strategy',
    [switchOn, s1Off],
    strategies(active('s1'), disabled('s2')),
    strategies(active('s1'), disabled('s2', { title: 'all' })),
  ],
  ['a strategy was added to the milestone', [start], plan(ofMilestone('a')), plan(ofMilestone('a'), ofMilestone('b'))],
  [
    'a strategy of the milestone was edited',
    [start],
    plan(ofMilestone('a')),
    plan({ ...ofMilestone('a'), title: 'all' }),
  ],
]

const covered: typeof outdated = [
  ['nothing happened', [switchOn], strategies(disabled('s1')), strategies(disabled('s1'))],
  [
    'they are stated in another form',
    [switchOn],
    strategies(disabled('s1', { segments: [1, 2] })),
    strategies(disabled('s1', { segments: [2, 1], title: '' })),
  ],
  [
    'another strategy is active',
    [switchOn],
    strategies(active('s1'), disabled('s2')),
    strategies(active('s1'), disabled('s2', { title: 'all' })),
  ],
  [
    'the switch activates nothing',
    [change('updateEnabled', { enabled: true })],
    strategies(active('s1'), disabled('s2')),
    strategies(active('s1')),
  ],
  [
    'it switches off',
    [change('updateEnabled', { ...toggled, enabled: false })],
    strategies(disabled('s1')),
    strategies(disabled('s2')),
  ],
  [
    'a strategy of another milestone was edited',
    [start],
    plan(ofMilestone('a', 'm2')),
    plan({ ...ofMilestone('a', 'm2'), title: 'all' }),
  ],
  [
    'the gateway does not return which milestone it belongs to',
    [start],
    plan(active('a')),
    plan({ ...active('a'), title: 'all' }),
  ],
  ['the gateway returns no strategies', [switchOn], {}, {}],
]

describe('an approval covers the strategies that an apply activates without naming them', () => {
  it.each(outdated)('and no longer counts if %s', async (_, changes, then, now) => {
    const fixture = host(then, { overwrites: 'allow' })
    await fixture.approved(changes)
    fixture.becomes(now)
    expect((await fixture.review()).requirements).toMatchObject([{ given: 0 }])
    expect(await rejection(fixture.apply())).toMatchObject({ details: [{ code: 'missing-approvals' }] })
  })

  it.each(covered)('and still counts if %s', async (_, changes, then, now) => {
    const fixture = host(then, { overwrites: 'allow' })
    await fixture.approved(changes)
    fixture.becomes(now)
    expect((await fixture.review()).requirements).toMatchObject([{ given: 1 }])
    expect((await fixture.apply()).changeRequest.state).toBe('Applied')
  })

  it.each(outdated.slice(0, 1))(
    'which suspends a schedule, also without approvals, if %s',
    async (_, changes, then, now) => {
      const flags = new ScheduledFlags()
      const fixture = createScheduledFixture({ overwrites: 'allow' }, flags)
      const state = (feature: Partial<FeatureState>) => async () => ({
        features: new Map([['checkout', { archived: false, enabled: false, ...feature }]]),
        segments: new Map(),
      })
      flags.instead = state(then)
      await fixture.scheduled(changes)
      flags.instead = state(now)
      await fixture.runAt('2026-03-04T13:00:00.000Z')
      expect(await fixture.status()).toEqual([
        'suspended',
        expect.stringContaining('its target was edited after it was scheduled'),
      ])
    },
  )
})

describe('the review of a change that activates strategies', () => {
  it('has a field for each of them, and shows no other', async () => {
    const fixture = host(strategies(disabled('s1', { title: 'some' }), disabled('s2')))
    await fixture.reviewed([switchOn])
    const field = (id: string) => ({
      path: `/strategies/${id}/disabled`,
      base: true,
      current: true,
      proposed: false,
      overwrites: false,
    })
    const diff = {
      before: { enabled: false, strategies: [disabled('s1', { title: 'some' }), disabled('s2')] },
      after: { enabled: true, strategies: [{ ...active('s1'), title: 'some' }, active('s2')] },
      fields: [{ path: '/enabled' }, field('s1'), field('s2')],
    }
    expect((await fixture.review()).diffs).toMatchObject([diff])
    const applied = await fixture.to('ben', 'Approved').then(fixture.apply)
    expect(applied.changeRequest.changes[0]?.activated).toEqual(['s1', 's2'])
    expect((await fixture.review()).diffs).toMatchObject([diff])
  })

  it('compares them with the results of the changes before it', async () => {
    const fixture = host(strategies(active('s1'), disabled('s2'), disabled('s3')))
    await fixture.reviewed([change('deleteStrategy', { id: 's3' }), switchOn, s1Off])
    const diff = {
      before: { strategies: [{ id: 's1' }, { id: 's2' }] },
      after: { strategies: [active('s1'), active('s2')] },
    }
    expect((await fixture.review()).diffs[1]).toMatchObject(diff)
    await fixture.to('ben', 'Approved').then(fixture.apply)
    expect((await fixture.review()).diffs[1]).toMatchObject(diff)
  })

  it('marks one that another user added or disabled meanwhile as an overwrite', async () => {
    const fixture = host(strategies(active('s1'), disabled('s2')))
    await fixture.approved([switchOn])
    fixture.becomes(strategies(disabled('s1'), disabled('s2'), disabled('s3')))
    const [diff] = (await fixture.review()).diffs
    expect(diff?.fields.filter(({ overwrites }) => overwrites).map(({ path }) => path)).toEqual([
      '/strategies/s1/disabled',
      '/strategies/s3',
    ])
    expect((await rejection(fixture.apply())).details.map(({ code }) => code)).toContain('overwrite')
  })

  it('has a field for each strategy of a milestone that it starts', async () => {
    const fixture = host(plan(ofMilestone('a'), ofMilestone('b'), ofMilestone('c', 'm2')))
    await fixture.reviewed([start])
    expect((await fixture.review()).diffs).toMatchObject([
      {
        before: { id: 'm1', strategies: [ofMilestone('a'), ofMilestone('b')] },
        after: {
          strategies: [
            { ...ofMilestone('a'), started: true },
            { id: 'b', started: true },
          ],
        },
        fields: [
          { path: '/strategies/a/started', proposed: true },
          { path: '/strategies/b/started' },
          { path: '/planId' },
        ],
      },
    ])
  })
})
