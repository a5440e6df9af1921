import type { Change, ChangeRequest, NewChange } from '../../../src/domain/change-request'
import { withSnapshots } from '../../../src/domain/diff/snapshots'
import type { FeatureState, FlagState } from '../../../src/domain/flag-state'
import { findConflicts } from '../../../src/domain/flags/conflicts'
import { findDefaultChanges } from '../../../src/domain/flags/default-changes'
import { sampleChangeRequest } from '../../../src/testing/samples'

const feature = 'checkout'
const changes: NewChange[] = [
  { action: 'updateEnabled', feature, payload: { enabled: true } },
  { action: 'updateStrategy', feature, payload: { id: 's1', disabled: true } },
  { action: 'deleteStrategy', feature, payload: { id: 's2' } },
  { action: 'reorderStrategy', feature, payload: [{ id: 's3', sortOrder: 1 }] },
]

function request(...chosen: NewChange[]): ChangeRequest {
  const base = sampleChangeRequest({ id: 1, state: 'Approved' })
  const [sample] = base.changes as [Change]
  return { ...base, changes: chosen.map((change, index) => ({ ...sample, id: index + 1, ...change })) }
}

function flags(state: Partial<FeatureState>): FlagState {
  return { features: new Map([[feature, { archived: false, enabled: false, ...state }]]), segments: new Map() }
}

describe('a flag that is on or off, for which the gateway returns no strategies', () => {
  it('gets no implied change when it is switched on; a flag without any strategy does', () => {
    const [enable] = changes as [NewChange]
    expect(findDefaultChanges(request(enable), flags({}))).toEqual(new Map())
    expect([...findDefaultChanges(request(enable), flags({ strategies: [] })).values()]).toMatchObject([
      { action: 'addStrategy', feature },
    ])
  })

  it('is not disabled when one of its strategies is removed', () => {
    expect(findDefaultChanges(request(...changes.slice(1)), flags({ enabled: true }))).toEqual(new Map())
  })

  it('has no conflict over a strategy; a flag without that strategy has', () => {
    expect(findConflicts(request(...changes), flags({})).changes).toEqual(new Map())
    const missing = findConflicts(request(...changes), flags({ strategies: [] })).changes
    expect([...missing]).toEqual([2, 3, 4].map((id) => [id, 'Strategy has been deleted']))
  })

  it('is still in conflict when it is archived or deleted', () => {
    const archived = findConflicts(request(...changes), flags({ archived: true }))
    expect([...archived.features]).toEqual([[feature, 'Feature has been archived']])
  })

  it('stores its previous state in the snapshots of its changes, and no strategy', () => {
    const changeRequest = withSnapshots(request(...changes), flags({ enabled: true }))
    expect(changeRequest.changes.map(({ snapshot }) => snapshot)).toEqual([
      { enabled: true },
      undefined,
      undefined,
      undefined,
    ])
  })
})
