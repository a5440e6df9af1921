import type { NewChange } from '../../../src/domain/change-request'
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
