import { feature, snapshotOf, testActions, testInverses, variants } from '../support/action-rows'
import { flags } from '../support/change-requests'

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
