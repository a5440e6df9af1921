import type { NewChange } from '../../../src/domain/change-request'
import type { FeatureState } from '../../../src/domain/flag-state'
import { findDefaultChanges } from '../../../src/domain/flags/default-changes'
import { flags, proposing } from '../support/change-requests'

const feature = 'checkout'
const active = { id: 's1', name: 'default', disabled: false }
const disabled = { id: 's2', name: 'default', disabled: true }

const change = (action: NewChange['action'], payload: NewChange['payload']): NewChange => ({ action, feature, payload })
const on = change('updateEnabled', { enabled: true })
const off = change('updateEnabled', { enabled: false })
const onActivating = change('updateEnabled', { enabled: true, shouldActivateDisabledStrategies: true })
const onNotActivating = change('updateEnabled', { enabled: true, shouldActivateDisabledStrategies: false })
const add = change('addStrategy', { name: 'default' })
const addNull = change('addStrategy', { name: 'default', disabled: null })
const addDisabled = change('addStrategy', { name: 'default', disabled: true })
const remove = change('deleteStrategy', { id: 's1' })
const removeOther = change('deleteStrategy', { id: 's9' })
const disable = change('updateStrategy', { id: 's1', disabled: true })
const enable = change('updateStrategy', { id: 's2', disabled: false })
const enableUnknown = change('updateStrategy', { id: 's9', disabled: false })
const retitle = change('updateStrategy', { id: 's1', title: 'x', disabled: null })
const retitleDisabled = change('updateStrategy', { id: 's2', title: 'x' })
const archive = change('archiveFeature', {})
const variants = change('patchVariant', { variants: [] })

const addsDefault = 'addStrategy'
const switchesOff = 'updateEnabled'

/** The action of the implied change, or `-`. */
function outcome(state: Partial<FeatureState>, changes: readonly NewChange[]): string {
  return findDefaultChanges(proposing(...changes), flags(state)).get(feature)?.action ?? '-'
}

describe('the implied change of a flag that is switched on', () => {
  it.each<[string, Partial<FeatureState>['strategies'] & object, NewChange[], string]>([
    ['has no strategy', [], [on], addsDefault],
    ['has no active strategy', [disabled], [on], addsDefault],
    ['has an active strategy', [disabled, active], [on], '-'],
    ['has none, and the disabled ones are activated', [disabled], [onActivating], '-'],
    ['has none, and the disabled ones stay so', [disabled], [onNotActivating], addsDefault],
    ['has none, and the last switch does not activate them', [disabled], [onActivating, on], addsDefault],
    ['has none, and is switched off again', [], [on, off], '-'],
    ['has none, and is switched off before', [], [off, on], addsDefault],
    ['gets a strategy', [], [on, add], '-'],
    ['gets a strategy, `disabled` being null', [], [on, addNull], '-'],
    ['gets a disabled strategy', [], [on, addDisabled], addsDefault],
    ['gets two strategies, one active', [], [addDisabled, on, add], '-'],
    ['loses its only active strategy', [active], [on, remove], addsDefault],
    ['loses a strategy that it does not have', [active], [on, removeOther], '-'],
    ['has its only active strategy disabled', [active], [on, disable], addsDefault],
    ['has its only active strategy given another title', [active], [on, retitle], '-'],
    ['has a disabled strategy given another title', [disabled], [on, retitleDisabled], addsDefault],
    ['has a disabled strategy enabled', [disabled], [on, enable], '-'],
    ['has a strategy enabled that it does not have', [disabled], [on, enableUnknown], addsDefault],
    ['is archived', [], [on, archive], '-'],
    ['is not switched at all', [], [variants], '-'],
  ])('and %s', (_, strategies, changes, expected) => {
    expect(outcome({ enabled: false, strategies }, changes)).toBe(expected)
  })
})

describe('the implied change of a flag that is on', () => {
  it.each<[string, Partial<FeatureState>['strategies'] & object, NewChange[], string]>([
    ['loses its only active strategy', [active, disabled], [remove], switchesOff],
    ['has its only active strategy disabled', [active], [disable], switchesOff],
    ['loses it for another one', [active], [remove, add], '-'],
    ['loses it for a disabled one', [active], [remove, addDisabled], switchesOff],
    ['loses it and is switched off', [active], [remove, off], '-'],
    ['loses it and is switched on, which it was', [active], [remove, on], switchesOff],
    ['loses it and is archived', [active], [remove, archive], '-'],
    ['had no active strategy before', [disabled], [variants], '-'],
    ['keeps an active strategy', [active, { ...active, id: 's3' }], [remove], '-'],
  ])('and %s', (_, strategies, changes, expected) => {
    expect(outcome({ enabled: true, strategies }, changes)).toBe(expected)
  })
})

describe('findDefaultChanges(changeRequest, flags)', () => {
  it.each([
    { what: 'whose strategies the gateway does not say', state: flags() },
    { what: 'that is archived', state: flags({ archived: true, strategies: [] }) },
    { what: 'that is gone', state: flags({}, { features: new Map() }) },
  ])('adds none for a flag $what', ({ state }) => {
    expect(findDefaultChanges(proposing(on), state).size).toBe(0)
  })

  it('adds the default strategy of project and environment, else one for everyone', () => {
    const own = { name: 'gradual', parameters: { rollout: '5' } }
    const of = (defaultStrategy?: typeof own) => {
      const state = flags({ strategies: [] }, defaultStrategy === undefined ? {} : { defaultStrategy })
      return [...findDefaultChanges(proposing(on), state)]
    }
    expect(of(own)).toEqual([[feature, { action: 'addStrategy', feature, payload: own }]])
    expect(of()).toEqual([
      [
        feature,
        {
          action: 'addStrategy',
          feature,
          payload: {
            name: 'flexibleRollout',
            title: '',
            disabled: false,
            constraints: [],
            segments: [],
            parameters: { rollout: '100', stickiness: 'default', groupId: feature },
          },
        },
      ],
    ])
  })

  it('disables a flag that is left without an active strategy', () => {
    const found = findDefaultChanges(proposing(remove), flags({ enabled: true, strategies: [active] }))
    expect([...found.values()]).toEqual([{ action: 'updateEnabled', feature, payload: { enabled: false } }])
  })

  it('decides for each flag by its own changes', () => {
    const search = { ...on, feature: 'search' }
    const features = new Map(
      ['checkout', 'search'].map((name) => [name, { archived: false, enabled: false, strategies: [] }]),
    )
    const found = findDefaultChanges(proposing(on, add, search), { features, segments: new Map() })
    expect([...found.keys()]).toEqual(['search'])
  })
})
