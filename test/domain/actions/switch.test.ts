import { definitionOf } from '../../../src/domain/actions/table'
import { feature, snapshotOf, testActions, testInverses, variants } from '../support/action-rows'
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
