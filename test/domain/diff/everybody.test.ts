import { targetPart } from '../../../src/domain/actions/table'
import type { JsonValue, NewChange } from '../../../src/domain/change-request'
import { diffOf, diffWith } from '../../../src/domain/diff/diff'
import { findEndsAtEverybody } from '../../../src/domain/diff/everybody'
import type { FeatureState, FlagState, StrategyState } from '../../../src/domain/flag-state'
import { noConflicts } from '../../../src/domain/flags/conflicts'
import { change, changeRequest, flags } from '../support/change-requests'

type Proposed = Omit<NewChange, 'feature'>

const strategy = (id: string, rollout: string, more: object = {}): StrategyState => ({
  id,
  name: 'flexibleRollout',
  disabled: false,
  parameters: { rollout },
  ...more,
})
const all = strategy('s1', '100')
const few = strategy('s1', '5')
const other = strategy('s2', '5')
const disabled = { disabled: true }
const ours = { name: 'ours' }
const narrow = { constraints: [{ contextName: 'country', operator: 'IN', values: ['NO'] }] }

const on = (...strategies: StrategyState[]): FlagState => flags({ archived: false, enabled: true, strategies })
const off = (...strategies: StrategyState[]): FlagState => flags({ archived: false, enabled: false, strategies })
const flag = (more: Partial<FeatureState>) => flags({ archived: false, enabled: true, ...more })
const segment = (more: { readonly [name: string]: JsonValue }) =>
  flags(undefined, { segments: new Map([[4, { name: 'beta', ...more }]]) })

const to = (rollout: string, more: object = {}, id = 's1'): Proposed => ({
  action: 'updateStrategy',
  payload: { id, name: 'flexibleRollout', parameters: { rollout }, ...more },
})
const add = (rollout: string, more: object = {}): Proposed => ({
  action: 'addStrategy',
  payload: { name: 'flexibleRollout', parameters: { rollout }, ...more },
})
const remove = (id = 's1'): Proposed => ({ action: 'deleteStrategy', payload: { id } })
const turn = (enabled: boolean, more: object = {}): Proposed => ({
  action: 'updateEnabled',
  payload: { enabled, ...more },
})
const activate = turn(true, { shouldActivateDisabledStrategies: true })
const editSegment = (more: object): Proposed => ({ action: 'updateSegment', payload: { id: 4, name: 'beta', ...more } })

function requestOf(before: FlagState | undefined, changes: readonly Proposed[]) {
  return changeRequest({
    changes: changes.map(({ action, payload }, index) => {
      const proposal = { action, payload, feature: action.endsWith('Segment') ? null : 'checkout' }
      const base = before && targetPart(proposal, before)
      return change(index + 1, { ...proposal, ...(base === undefined ? {} : { base }) })
    }),
  })
}

describe('which changes end at everybody', () => {
  it.each<[string, FlagState | undefined, Proposed[], (boolean | null)[]]>([
    // One strategy.
    ['an edit to 100 %', on(few), [to('100')], [true]],
    ['an edit to 100 % of some', on(few), [to('100', narrow)], [false]],
    ['the last constraint is removed', on(strategy('s1', '100', narrow)), [to('100', { constraints: [] })], [true]],
    ['an edit of what is for everybody', on(all), [to('100', { title: 'b' })], [false]],
    ['it is enabled', on(strategy('s1', '100', disabled), other), [to('100', { disabled: false })], [true]],
    ['one for everybody is added', on(few), [add('100')], [true]],
    ['it is deleted', on(all, other), [remove()], [false]],
    // The other strategies.
    ['another one is for everybody already', on(all, other), [to('100', {}, 's2')], [false]],
    [
      'another one is for everybody, but disabled',
      on(strategy('s1', '100', disabled), other),
      [to('100', {}, 's2')],
      [true],
    ],
    ['one takes the place of another', on(all, other), [to('5'), to('100', {}, 's2')], [false, false]],
    ['a new one takes the place of a small one', on(few), [remove(), add('100')], [false, true]],
    ['two together', on(few, other), [to('100'), to('100', {}, 's2')], [true, true]],
    // The switch.
    ['an edit of a flag that stays off', off(few), [to('100')], [false]],
    ['an edit of a flag that is switched off', on(few), [to('100'), turn(false)], [false, false]],
    [
      'an edit of a flag that is archived',
      on(few),
      [to('100'), { action: 'archiveFeature', payload: {} }],
      [false, false],
    ],
    ['an edit of a flag that is switched on', off(few), [to('100'), turn(true)], [true, true]],
    ['a switch of what is for everybody', off(other, all), [turn(true)], [true]],
    ['a switch of what is for some', off(few, other), [turn(true)], [false]],
    ['a switch, and an edit to some', off(all), [turn(true), to('5')], [false, false]],
    [
      'a switch of what is for everybody, and another edit',
      off(all, other),
      [turn(true), to('6', {}, 's2')],
      [true, false],
    ],
    ['a switch that a later one takes back', off(all), [turn(true), turn(false)], [false, false]],
    ['a switch of what is on', on(all), [turn(true)], [false]],
    ['a switch that activates it', off(strategy('s1', '100', disabled)), [activate], [true]],
    ['a switch with a default strategy for everybody', off(), [turn(true)], [true]],
    [
      'a switch with a default strategy for some',
      flags({ archived: false, enabled: false, strategies: [] }, { defaultStrategy: { ...few } }),
      [turn(true)],
      [false],
    ],
    ['a switch of a flag without strategies', flags({ archived: false, enabled: false }), [turn(true)], [true]],
    ['a strategy for a flag that was on without one', on(strategy('s1', '5', disabled)), [add('100')], [false]],
    // What is unknown.
    ['a switch of a strategy of an unknown kind', off(strategy('s1', '5', ours)), [turn(true)], [null]],
    ['an edit of one of an unknown kind', on(strategy('s1', '5', ours)), [to('100', ours)], [null]],
    ['100 % next to one of an unknown kind', on(strategy('s1', '5', ours), other), [to('100', {}, 's2')], [true]],
    ['unknown flags', undefined, [turn(true), to('100')], [null, null]],
    ['a flag that is missing', { features: new Map(), segments: new Map() }, [turn(true)], [false]],
    // Milestones.
    [
      'a milestone that starts with it',
      flag({ strategies: [few], milestones: ['m'], milestoneStrategies: [{ ...all, id: 'm1', milestoneId: 'm' }] }),
      [{ action: 'startMilestone', payload: { planId: 'p', milestoneId: 'm' } }],
      [true],
    ],
    [
      'an edit of a milestone that may run',
      flag({ strategies: [few], milestoneStrategies: [{ ...few, id: 'm1', milestoneId: 'm' }] }),
      [
        {
          action: 'updateMilestoneStrategy',
          payload: { id: 'm1', name: 'flexibleRollout', parameters: { rollout: '100' } },
        },
      ],
      [null],
    ],
    // Segments.
    ['a segment without constraints', segment(narrow), [editSegment({ constraints: [] })], [true]],
    ['a segment that had none', segment({ constraints: [] }), [editSegment({ constraints: [] })], [false]],
    ['a segment that is deleted', segment(narrow), [{ action: 'deleteSegment', payload: { id: 4 } }], [false]],
    ['an unknown segment', undefined, [editSegment({ constraints: [] })], [null]],
  ])('%s', (_name, before, changes, expected) => {
    const request = requestOf(before, changes)
    const { diffs, after } = diffWith(request, before, { conflicts: noConflicts, overwrites: new Map() })
    expect([...findEndsAtEverybody(diffs, before, after).values()]).toEqual(expected)
  })

  it('is unknown for the flags of a closed change request, which stores only parts of them', () => {
    const request = { ...requestOf(on(few), [to('100')]), state: 'Rejected' as const }
    expect([...findEndsAtEverybody(diffOf(request, undefined), undefined, undefined).values()]).toEqual([null])
  })
})
