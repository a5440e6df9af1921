import type { Change, ChangeRequest, JsonValue } from '../../../src/domain/change-request'
import { revertOf } from '../../../src/domain/diff/revert'
import { withSnapshots, withTraces } from '../../../src/domain/diff/snapshots'
import { change, changeRequest, flags } from '../support/change-requests'

const s1 = { id: 's1', name: 'default', disabled: true, title: 'all', constraints: [], parameters: {} }
const s2 = { ...s1, id: 's2' }
const before = flags({ strategies: [s1, s2] })

const applied = (...changes: readonly Partial<Change>[]): ChangeRequest => {
  const all = changes.map((one, index) => change(index + 1, one))
  return withSnapshots(changeRequest({ state: 'Applied', changes: all }), before)
}
const update = (payload: object) => ({ action: 'updateStrategy', payload: { id: 's1', ...payload } }) as const
const everything = () => true
const reverting = (current: ChangeRequest) =>
  revertOf(current, everything).changes.map((one) => [one.action, one.payload])

describe('revertOf(changeRequest, isPossible)', () => {
  it('reverts the last change first, and equal ones only once', () => {
    const current = applied(update({ title: 'a' }), update({ title: 'b' }), update({ disabled: false }))
    expect(reverting(current)).toEqual([
      ['updateStrategy', { id: 's1', disabled: true }],
      ['updateStrategy', { id: 's1', title: 'all' }],
    ])
  })

  it('restores only what was sent, and nothing if the gateway did not return all of it', () => {
    expect(reverting(applied(update({ title: 'a', disabled: null })))).toEqual([
      ['updateStrategy', { id: 's1', title: 'all' }],
    ])
    expect(reverting(applied(update({ title: 'a', sortOrder: 3 })))).toEqual([])
  })

  it('reads each payload a number of times that does not grow with the other changes', () => {
    const readsOf = (count: number) => {
      let reads = 0
      const parameters = {
        get rollout() {
          reads += 1
          return '50'
        },
      }
      const changes = Array.from({ length: count }, (_, index) => ({
        ...change(index + 1, update({ id: `s${index}`, parameters: {} })),
        snapshot: { ...s1, id: `s${index}`, parameters },
      }))
      expect(revertOf({ changes }, everything).changes).toHaveLength(count)
      return reads / count
    }
    expect(readsOf(200)).toBe(readsOf(20))
  })

  it('restores a strategy that was edited and deleted to its state before both', () => {
    const payload: JsonValue = [
      { id: 's2', sortOrder: 0 },
      { id: 's1', sortOrder: 9 },
    ]
    const order = { action: 'reorderStrategy', payload } as const
    const current = applied(update({ title: 'a' }), order, { action: 'deleteStrategy', payload: { id: 's1' } })
    expect(reverting(current)).toEqual([
      ['addStrategy', { name: 'default', title: 'all', disabled: true, constraints: [], parameters: {} }],
      ['reorderStrategy', [{ id: 's2', sortOrder: 1 }]],
    ])
  })

  it('restores each of two strategies that are alike, and one that was deleted twice once', () => {
    const deletion = (id: string) => ({ action: 'deleteStrategy', payload: { id } }) as const
    const payload = { name: 'default', title: 'all', disabled: true, constraints: [], parameters: {} }
    const restored = ['addStrategy', payload]
    expect(reverting(applied(deletion('s1'), deletion('s2'), deletion('s1')))).toEqual([restored, restored])
  })

  it('reverts implied changes', () => {
    const payload = { name: 'default' }
    const defaultChanges = [{ action: 'addStrategy', feature: 'checkout', payload, created: 's9' }] as const
    expect(reverting({ ...applied({}), defaultChanges })).toEqual([
      ['deleteStrategy', { id: 's9' }],
      ['updateEnabled', { enabled: false }],
    ])
  })

  it('lists changes without an inverse, with missing data, and that can no longer be proposed', () => {
    const gone = { action: 'deleteStrategy', payload: { id: 's1' } } as const
    const current = applied({ action: 'archiveFeature', payload: {} }, { action: 'addStrategy' }, gone, {})
    const { irreversible, changes } = revertOf(current, ({ action }) => action !== 'addStrategy')
    expect(irreversible.map(({ id }) => id)).toEqual([1, 2, 3])
    expect(changes).toHaveLength(1)
  })
})

describe('withTraces(changeRequest, before, created)', () => {
  it('stores the ids of added items, for a change and for an implied change', () => {
    const switchedOn = changeRequest({ changes: [change(1), change(2, { action: 'addStrategy', payload: s1 })] })
    const created = [
      { changeId: 2, feature: 'checkout', id: 'new' },
      { changeId: null, feature: 'checkout', id: 'unasked' },
      { changeId: 1, feature: 'other', id: 'of another flag' },
    ]
    const traced = withTraces(switchedOn, before, created)
    expect(traced.changes.map((one) => one.created)).toEqual([undefined, 'new'])
    expect(traced.defaultChanges).toMatchObject([{ action: 'addStrategy', created: 'unasked' }])
  })

  it('stores which strategies a switch activated, based on the result of previous changes', () => {
    const payload = { enabled: true, shouldActivateDisabledStrategies: true }
    const changes = [change(1, { payload }), change(2, { action: 'deleteStrategy', payload: { id: 's2' } })]
    const traced = withTraces(changeRequest({ changes }), before, [])
    expect(traced.changes.map((one) => one.activated)).toEqual([['s1'], undefined])
  })
})
