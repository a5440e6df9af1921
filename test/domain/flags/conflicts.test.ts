import type { JsonValue, NewChange } from '../../../src/domain/change-request'
import { findConflicts, listConflicts, noConflicts } from '../../../src/domain/flags/conflicts'
import { flags, proposing } from '../support/change-requests'

const enable = (feature: string): NewChange => ({ action: 'updateEnabled', feature, payload: { enabled: true } })
const removeStrategy = (id: string): NewChange => ({ action: 'deleteStrategy', feature: 'checkout', payload: { id } })
const removeSegment = (id: number): NewChange => ({ action: 'deleteSegment', feature: null, payload: { id } })

describe('findConflicts(changeRequest, flags)', () => {
  it.each([
    { what: 'is there', state: flags(), conflict: undefined },
    { what: 'is archived', state: flags({ archived: true }), conflict: 'Feature has been archived' },
    { what: 'is gone', state: flags({}, { features: new Map() }), conflict: 'Feature has been deleted' },
  ])('of a flag that $what: $conflict', ({ state, conflict }) => {
    const { features, changes } = findConflicts(proposing(enable('checkout'), enable('checkout')), state)
    expect([...features]).toEqual(conflict === undefined ? [] : [['checkout', conflict]])
    expect([...changes]).toEqual([])
  })

  it('of an archived flag also names its missing strategies; of a missing flag only itself', () => {
    const changeRequest = proposing(removeStrategy('s1'))
    const archived = findConflicts(changeRequest, flags({ archived: true, strategies: [] }))
    expect([...archived.features, ...archived.changes]).toEqual([
      ['checkout', 'Feature has been archived'],
      [1, 'Strategy has been deleted'],
    ])
    expect(findConflicts(changeRequest, flags({}, { features: new Map() })).changes.size).toBe(0)
  })

  it('are known by the id of their change', () => {
    const state = flags({ strategies: [{ id: 's2', name: 'default', disabled: false }] })
    const changeRequest = proposing(removeStrategy('s1'), removeStrategy('s2'), removeSegment(4), removeSegment(5))
    const { features, changes } = findConflicts(changeRequest, state)
    expect(features.size).toBe(0)
    expect([...changes]).toEqual([
      [1, 'Strategy has been deleted'],
      [4, 'Segment has been deleted'],
    ])
  })
})

describe('findConflicts(changeRequest, flags) of what changes mention', () => {
  const s1 = { id: 's1', name: 'default', disabled: false }
  const strategy = { name: 'default', constraints: [], parameters: {} }
  const on = (action: NewChange['action'], payload: JsonValue): NewChange => ({ action, feature: 'checkout', payload })
  const all = { strategies: [s1], milestoneStrategies: [{ ...s1, id: 'm1' }], enabled: true }
  const missing = { segments: [999], templates: ['gone'] }

  it.each<[NewChange, string | undefined]>([
    [on('addStrategy', { ...strategy, segments: [4, 999] }), 'Segment has been deleted'],
    [on('addStrategy', { ...strategy, segments: [1.5] }), 'Segment has been deleted'],
    [on('addStrategy', { ...strategy, segments: [4] }), undefined],
    [on('addStrategy', strategy), undefined],
    [on('updateStrategy', { id: 's1', segments: [999] }), 'Segment has been deleted'],
    [on('updateStrategy', { id: 's1', title: 'a' }), undefined],
    [on('updateStrategy', { id: 's9', segments: [999] }), 'Strategy has been deleted'],
    [on('updateMilestoneStrategy', { id: 'm1', segments: [999] }), 'Segment has been deleted'],
    [on('addReleasePlan', { templateId: 'gone' }), 'Release plan template has been deleted'],
    [on('addReleasePlan', { templateId: 'there' }), undefined],
    [on('addDependency', { feature: 'checkout' }), 'Feature has been set as its own parent'],
    [on('addDependency', { feature: 'search' }), undefined],
  ])('%j: %s', (change, conflict) => {
    const { features, changes } = findConflicts(proposing(change), flags(all, { missing }))
    expect([[...features], [...changes.values()]]).toEqual([[], conflict === undefined ? [] : [conflict]])
  })

  it('are not checked where the gateway does not report what is missing', () => {
    const changeRequest = proposing(
      on('addStrategy', { ...strategy, segments: [999, 1.5] }),
      on('addReleasePlan', { templateId: 'gone' }),
    )
    expect(findConflicts(changeRequest, flags(all)).changes.size).toBe(0)
    expect([...findConflicts(changeRequest, flags(all, { missing: { templates: ['gone'] } })).changes.keys()]).toEqual([
      2,
    ])
    expect([...findConflicts(changeRequest, flags(all, { missing: { segments: [999] } })).changes.keys()]).toEqual([1])
  })

  it('include the segments of the default strategy, if it would be added', () => {
    const more = { missing, defaultStrategy: { ...strategy, segments: [999] } }
    const found = findConflicts(proposing(enable('checkout')), flags({ strategies: [] }, more))
    expect([...found.features]).toEqual([['checkout', 'Segment of the default strategy has been deleted']])
    expect(findConflicts(proposing(enable('checkout')), flags({ strategies: [s1] }, more)).features.size).toBe(0)
    const disabling = proposing(removeStrategy('s1'))
    expect(findConflicts(disabling, flags({ strategies: [s1], enabled: true }, more)).features.size).toBe(0)
  })
})

describe('listConflicts(changeRequest, conflicts)', () => {
  it('names the flags first, then the changes', () => {
    const features = new Map([['checkout', 'Feature has been archived']])
    const changes = new Map([[1, 'Strategy has been deleted']])
    expect(listConflicts(proposing(removeStrategy('s1')), { features, changes })).toEqual([
      'checkout: Feature has been archived',
      'Deleting a strategy of checkout: Strategy has been deleted',
    ])
    expect(listConflicts(proposing(removeStrategy('s1')), noConflicts)).toEqual([])
  })
})
