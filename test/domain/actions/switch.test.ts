import { provisionalId } from '../../../src/domain/actions/shared'
import { definitionOf } from '../../../src/domain/actions/table'
import type { FeatureState } from '../../../src/domain/flag-state'
import { feature, s1, s2, snapshotOf, testActions, testInverses, variants } from '../support/action-rows'
import { flags } from '../support/change-requests'

describe('the actions of a flag as a whole', () => {
  testActions([
    {
      action: 'updateEnabled',
      payload: { enabled: false },
      is: { target: 'switch', scope: 'environment', stage: 'switch' },
      snapshot: { enabled: true },
      part: { enabled: true },
      other: [{}, { enabled: true }],
      isAlwaysKnown: true,
    },
    {
      action: 'archiveFeature',
      payload: {},
      is: { target: 'flag', scope: 'project', stage: 'archive' },
      part: { archived: false },
      other: [{}, { archived: false }],
      isAlwaysKnown: true,
    },
  ])
  testInverses([['updateEnabled', { enabled: false }]])
})

describe('the inverse of updateEnabled', () => {
  const { inverse } = definitionOf({ action: 'updateEnabled' })

  it('disables again the strategies that the switch activated', () => {
    expect(inverse?.({ enabled: true }, { snapshot: { enabled: false }, activated: ['s1'] })).toEqual([
      { action: 'updateEnabled', payload: { enabled: false } },
      { action: 'updateStrategy', payload: { id: 's1', disabled: true } },
    ])
  })

  it('is unknown without a snapshot', () => {
    expect(inverse?.({}, {})).toBeUndefined()
  })

  it('is empty if the switch changed nothing', () => {
    expect(inverse?.({ enabled: true }, { snapshot: { enabled: true } })).toEqual([])
  })
})

/** @see contract 4.2 */
describe('updateEnabled with shouldActivateDisabledStrategies', () => {
  const { activates, after, targetPart } = definitionOf({ action: 'updateEnabled' })
  const asked = { enabled: true, shouldActivateDisabledStrategies: true }
  const disabled = [s1, s2].map((one) => ({ ...one, disabled: true }))
  const added = { ...s1, id: provisionalId(7), disabled: false }
  const off = { archived: false, enabled: false, strategies: disabled }

  it.each<[string, typeof asked | Pick<typeof asked, 'enabled'>, FeatureState, readonly string[]]>([
    ['all of them, if all are disabled', asked, off, ['s1', 's2']],
    [
      'also next to one that the same change request adds',
      asked,
      { ...off, strategies: [...disabled, added] },
      ['s1', 's2'],
    ],
    ['none, if one is enabled', asked, { ...off, strategies: [...disabled, { ...s1, id: 's3', disabled: false }] }, []],
    ['none, if the flag is on', asked, { ...off, enabled: true }, []],
    ['none, if it switches the flag off', { ...asked, enabled: false }, off, []],
    ['none, if it does not need it', { enabled: true }, off, []],
    ['none, if they are unknown', asked, { archived: false, enabled: false }, []],
    ['none, if there are none', asked, { ...off, strategies: [] }, []],
  ])('activates %s', (_, payload, state, ids) => {
    expect(activates?.(payload, state).map(({ id }) => id)).toEqual(ids)
    const next = after(payload, state, 8) as FeatureState
    expect(next).toEqual({
      ...state,
      enabled: payload.enabled,
      strategies: state.strategies?.map((one) => (ids.includes(one.id) ? { ...one, disabled: false } : one)),
    })
  })

  it('reads the strategies only if it may activate them, without those that the change request adds', () => {
    const state = { ...off, strategies: [...disabled, added] }
    expect(targetPart(asked, state)).toEqual({ enabled: false, strategies: disabled })
    expect(targetPart({ enabled: true }, state)).toEqual({ enabled: false })
    expect(targetPart(asked, { archived: false, enabled: false })).toEqual({ enabled: false })
  })
})

describe('archiveFeature', () => {
  it('removes the parents of the flag, if they are known', () => {
    const { after } = definitionOf({ action: 'archiveFeature' })
    const state = { archived: false, enabled: true }
    expect(after({}, state, 1)).toEqual({ archived: true, enabled: true })
    const child = { ...state, dependencies: [{ feature: 'parent', enabled: true }] }
    expect(after({}, child, 1)).toEqual({ archived: true, enabled: true, dependencies: [] })
  })
})

describe('the action of variants', () => {
  testActions([
    {
      action: 'patchVariant',
      payload: { variants: [] },
      is: { target: 'variants', scope: 'environment', stage: 'change' },
      snapshot: { variants },
      part: { variants },
      other: [{}, { variants }],
    },
  ])
  testInverses([['patchVariant', { variants: [] }]])

  it('stores nothing if the gateway does not return the variants', () => {
    expect(snapshotOf({ action: 'patchVariant', feature, payload: { variants } }, flags())).toBeUndefined()
  })
})
