import fc from 'fast-check'
import { allActions, targetPart } from '../../../src/domain/actions/table'
import type { ChangeRequest, NewChange } from '../../../src/domain/change-request'
import { completeApply } from '../../../src/domain/decisions/apply'
import { reject } from '../../../src/domain/decisions/review'
import { type ChangeDiff, diffOf, effectsOf } from '../../../src/domain/diff/diff'
import { withSnapshots } from '../../../src/domain/diff/snapshots'
import type { FeatureState, FlagState } from '../../../src/domain/flag-state'
import { random } from '../../support/random'
import { change, changeRequest, facts, flags, later, step } from '../support/change-requests'

const approved = changeRequest({ state: 'Approved' })

describe('withSnapshots(changeRequest, before)', () => {
  it('removes the bases if the flags are unknown, because they are older', () => {
    const based = changeRequest({ changes: [change(1, { base: { enabled: true }, rebasedAt: later })] })
    expect(withSnapshots(based, undefined)).toStrictEqual(changeRequest({ changes: [change(1)] }))
  })

  it('stores it instead of the base, because votes need only its hash', () => {
    const based = change(1, { base: { enabled: true }, baseHash: 'sha256:base', rebasedAt: later })
    const { changes } = withSnapshots({ ...approved, changes: [based] }, flags())
    expect(changes).toStrictEqual([change(1, { baseHash: 'sha256:base', snapshot: { enabled: false } })])
  })

  it('stores as the base what clients do not get', () => {
    const archive = change(1, { action: 'archiveFeature', payload: {} })
    const deletion = change(2, { action: 'deleteStrategy', payload: { id: 'gone' } })
    const { changes } = withSnapshots({ ...approved, changes: [archive, deletion] }, flags({ strategies: [] }))
    expect(changes).toStrictEqual([
      { ...archive, base: { archived: false } },
      { ...deletion, base: null },
    ])
  })

  it('stores nothing without a value', () => {
    const { changes } = withSnapshots({ ...approved, changes: [change(1, { feature: 'gone' })] }, flags())
    expect(changes).toStrictEqual([change(1, { feature: 'gone' })])
  })
})

const strategy = (id: string, sortOrder: number) => ({
  id,
  name: 'flexibleRollout',
  title: `strategy ${id}`,
  disabled: false,
  sortOrder,
  constraints: [],
  parameters: { rollout: '50' },
})
const ofMilestone = { id: 'm1', planId: 'p1', milestoneId: 'm1', sourceMilestone: 'm1', targetMilestone: 'm2' }
const strategyId = fc.constantFrom('s1', 's2', 's3')
const rollout = fc.constantFrom('10', '50', '90').map((value) => ({ parameters: { rollout: value } }))

/** Payloads of each action, most of which name targets that exist. */
const payloads: { readonly [action: string]: fc.Arbitrary<unknown> } = {
  updateEnabled: fc.record({ enabled: fc.boolean(), shouldActivateDisabledStrategies: fc.boolean() }),
  addStrategy: fc.record({ name: fc.constant('default'), disabled: fc.boolean() }),
  updateStrategy: fc.oneof(
    fc.tuple(strategyId, rollout).map(([id, set]) => ({ id, ...set })),
    fc.record({ id: strategyId, disabled: fc.boolean() }),
    fc.record({ id: strategyId, title: fc.constantFrom('a', null), sortOrder: fc.nat(3) }),
  ),
  deleteStrategy: fc.record({ id: strategyId }),
  reorderStrategy: fc.uniqueArray(fc.record({ id: strategyId, sortOrder: fc.nat(5) }), { selector: ({ id }) => id }),
  patchVariant: fc.record({ variants: fc.subarray([{ name: 'blue' }, { name: 'grey' }]) }),
  addDependency: fc.record({ feature: fc.constantFrom('parent', 'other'), enabled: fc.boolean() }),
  deleteDependency: fc.constantFrom({}, { feature: 'parent' }),
  updateMilestoneStrategy: rollout.map((set) => ({ id: 'ms1', ...set })),
  addReleasePlan: fc.constant({ templateId: 't1' }),
  updateSegment: fc.record({ id: fc.constantFrom(4, 5), name: fc.constantFrom('testers', 'all') }),
  deleteSegment: fc.record({ id: fc.constantFrom(4, 5) }),
}
const changes: fc.Arbitrary<NewChange> = fc.constantFrom(...allActions).chain((action) =>
  fc.record({
    action: fc.constant(action),
    feature: fc.constantFrom(...(action.endsWith('Segment') ? [null] : ['checkout', 'checkout', 'gone'])),
    payload: (payloads[action] ?? fc.constant(ofMilestone)) as fc.Arbitrary<NewChange['payload']>,
  }),
)

/** What a gateway returns of a flag; it may leave out anything but the switch. */
const features: fc.Arbitrary<FeatureState> = fc
  .record(
    {
      archived: fc.boolean(),
      enabled: fc.boolean(),
      variants: fc.shuffledSubarray([{ name: 'blue' }, { name: 'red' }, { name: 'grey' }]),
      dependencies: fc.subarray([{ feature: 'parent', enabled: true, variants: [] }]),
      releasePlans: fc.subarray(['p1']),
      milestones: fc.subarray(['m1']),
      milestoneStrategies: fc.subarray([{ ...strategy('ms1', 0), milestoneId: 'm1' }, strategy('ms2', 1)]),
      strategies: fc
        .record({
          ids: fc.shuffledSubarray(['s1', 's2', 's3', 's4']),
          disabled: fc.boolean(),
          first: fc.nat(2),
          sorted: fc.boolean(),
        })
        .map(({ ids, disabled, first, sorted }) =>
          ids.map((id, index) => {
            const { sortOrder, ...unsorted } = { ...strategy(id, first + index), disabled }
            return sorted ? { ...unsorted, sortOrder } : unsorted
          }),
        ),
    },
    { requiredKeys: ['archived', 'enabled'] },
  )
  .map((feature) => feature as FeatureState)
const states: fc.Arbitrary<FlagState> = fc
  .record({ feature: features, segments: fc.subarray([4]) })
  .map(({ feature, segments }) =>
    flags(feature, { segments: new Map(segments.map((id) => [id, { name: 'beta users', constraints: [] }])) }),
  )

/** Proposed on these flags. */
function proposedOn(state: FlagState, proposed: readonly NewChange[]): ChangeRequest {
  const all = proposed.map((one, index) => {
    const base = targetPart(one, state)
    return change(index + 1, { ...one, ...(base === undefined ? {} : { base }) })
  })
  return { ...approved, changes: all }
}

const throughStore = (current: ChangeRequest): ChangeRequest => JSON.parse(JSON.stringify(current))
const applied = (current: ChangeRequest, state: FlagState | undefined) =>
  throughStore(completeApply(current, step('ben'), [], state).changeRequest)
const rejected = (current: ChangeRequest, state: FlagState | undefined) => {
  const command = { ...step('ben'), facts: { ...facts('ben'), flags: state } }
  return throughStore(reject({ ...current, state: 'In review' }, command).changeRequest)
}
/** Of a closed change request, conflicts are not computed. A change of a missing flag counts as unknown. */
const comparable = (diffs: readonly ChangeDiff[]) =>
  diffs.map(({ conflict, baseKnown, ...diff }) => ({ ...diff, baseKnown: baseKnown && diff.feature !== 'gone' }))

describe('the diff of a closed change request', () => {
  it('is the one right before it was closed, for every action, also if the changes build on each other', () => {
    fc.assert(
      fc.property(states, fc.array(changes, { maxLength: 6 }), (state, proposed) => {
        const current = throughStore(proposedOn(state, proposed))
        const open = comparable(diffOf(current, state))
        expect(comparable(diffOf(applied(current, state), undefined))).toEqual(open)
        expect(comparable(diffOf(rejected(current, state), undefined))).toEqual(open)
        expect(effectsOf(applied(current, state), undefined)).toEqual(effectsOf(current, state))
      }),
      random(100),
    )
  })

  it('does not depend on the current flags', () => {
    const [before, after] = [flags({ enabled: false }), flags({ enabled: true, archived: true })]
    const closed = applied(proposedOn(before, [change(1)]), before)
    expect(diffOf(closed, after)).toEqual(diffOf(closed, undefined))
    expect(effectsOf(closed, after)).toMatchObject([{ before: { enabled: false }, after: { enabled: true } }])
  })

  it('is unknown if the flags were, although the changes had bases', () => {
    const current = proposedOn(flags({ enabled: false }), [change(1), change(2)])
    const unknown = { before: null, after: null, fields: [], conflict: null, baseKnown: false }
    expect(diffOf(applied(current, undefined), undefined)).toMatchObject([unknown, unknown])
  })
})

describe('effectsOf(changeRequest, state)', () => {
  const off = { action: 'updateStrategy', feature: 'checkout', payload: { id: 's1', disabled: true } } as const
  const state = flags({ enabled: true, strategies: [strategy('s1', 0)] })

  it('has the changes with before and after, then the implied changes', () => {
    const current = proposedOn(state, [off])
    const effects = [
      {
        id: 1,
        ...off,
        before: strategy('s1', 0),
        after: { ...strategy('s1', 0), disabled: true },
      },
      {
        id: null,
        action: 'updateEnabled',
        feature: 'checkout',
        payload: { enabled: false },
        before: { enabled: true },
        after: { enabled: false },
      },
    ]
    expect(effectsOf(current, state)).toEqual(effects)
    expect(effectsOf(applied(current, state), undefined)).toEqual(effects)
  })

  it('does not show before without a base, like the diff', () => {
    const { base, ...unbased } = change(1, off)
    expect(effectsOf(changeRequest({ changes: [unbased] }), state)).toMatchObject([
      { id: 1, before: null, after: { disabled: true } },
      { id: null, before: { enabled: true }, after: { enabled: false } },
    ])
  })

  it('has no before and after while the flags are unknown', () => {
    expect(effectsOf(proposedOn(state, [off]), undefined)).toEqual([{ id: 1, ...off, before: null, after: null }])
  })
})
