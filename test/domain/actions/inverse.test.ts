import { definitionOf } from '../../../src/domain/actions/actions'
import { targetPart } from '../../../src/domain/actions/target-part'
import type { JsonValue, NewChange } from '../../../src/domain/change-request'
import { stateAfter } from '../../../src/domain/diff/state-after'
import type { FlagState } from '../../../src/domain/flag-state'
import { flags } from '../support/change-requests'

const s1 = { id: 's1', name: 'default', disabled: false, sortOrder: 0, title: 'all', constraints: [], parameters: {} }
const ofCheckout = {
  enabled: true,
  strategies: [s1, { ...s1, id: 's2', sortOrder: 1 }],
  milestoneStrategies: [{ ...s1, id: 'ms1' }],
  variants: [{ name: 'blue' }],
  dependencies: [{ feature: 'parent', enabled: true, variants: [] }],
}
const before = flags(ofCheckout, { segments: new Map([[4, { name: 'beta users', constraints: ['who'] }]]) })

const rows: readonly [NewChange['action'], JsonValue][] = [
  ['updateSegment', { id: 4, name: 'testers', constraints: [] }],
  ['updateEnabled', { enabled: false }],
  ['updateStrategy', { id: 's1', title: 'some', disabled: true }],
  ['updateMilestoneStrategy', { id: 'ms1', title: 'some', disabled: true }],
  ['patchVariant', { variants: [] }],
  ['reorderStrategy', [{ id: 's1', sortOrder: 7 }]],
  ['addDependency', { feature: 'other' }],
  ['addDependency', { feature: 'parent', enabled: false }],
  ['deleteDependency', {}],
  ['deleteDependency', { feature: 'parent' }],
]

const ofTarget = (action: NewChange['action'], payload: JsonValue): NewChange => ({
  action,
  payload,
  feature: action.endsWith('Segment') ? null : 'checkout',
})

describe('the inverse of an action', () => {
  it.each(rows)('%s %j leads back to the state before', (action, payload) => {
    const change = ofTarget(action, payload)
    const past = { snapshot: targetPart(change, before) ?? null }
    const inverses = definitionOf(change).inverse?.(payload, past) ?? []
    const step = (state: FlagState, one: NewChange) => stateAfter({ ...one, id: 1 }, state)
    const applied = step(before, change)
    expect(applied).not.toEqual(before)
    expect(inverses.map((one) => ofTarget(one.action, one.payload)).reduce(step, applied)).toEqual(before)
  })

  it('of what is added deletes it, by the id that the gateway told', () => {
    const inverseOf = (action: NewChange['action']) => definitionOf({ action }).inverse?.({}, { created: 'x' })
    expect(inverseOf('addStrategy')).toEqual([{ action: 'deleteStrategy', payload: { id: 'x' } }])
    expect(inverseOf('addReleasePlan')).toEqual([{ action: 'deleteReleasePlan', payload: { planId: 'x' } }])
  })

  it('of a deletion adds what was there, under an id that the store gives', () => {
    const { id, ...strategy } = s1
    const inverse = definitionOf({ action: 'deleteStrategy' }).inverse?.({ id }, { snapshot: s1 })
    expect(inverse).toEqual([{ action: 'addStrategy', payload: strategy }])
  })

  it('disables again what the switch activated', () => {
    const past = { snapshot: { enabled: false }, activated: ['s1'] }
    expect(definitionOf({ action: 'updateEnabled' }).inverse?.({ enabled: true }, past)).toEqual([
      { action: 'updateEnabled', payload: { enabled: false } },
      { action: 'updateStrategy', payload: { id: 's1', disabled: true } },
    ])
  })

  it.each(['addStrategy', 'updateEnabled', 'deleteStrategy'] as const)(
    '%s has none where too little is known',
    (action) => {
      expect(definitionOf({ action }).inverse?.({}, {})).toBeUndefined()
    },
  )
})
