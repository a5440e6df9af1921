import { allActions, definitionOf } from '../../../src/domain/actions/actions'
import type { NewChange } from '../../../src/domain/change-request'
import { withSnapshots } from '../../../src/domain/diff/traces'
import type { FeatureState, FlagState } from '../../../src/domain/flag-state'
import { findConflicts } from '../../../src/domain/flags/conflicts'
import { flags, proposing } from '../support/change-requests'

const feature = 'checkout'
const s1 = { id: 's1', name: 'default', disabled: false, title: 'everybody' }
const variants = [{ name: 'blue', weight: 1000 }]
const full: FeatureState = {
  archived: false,
  enabled: true,
  strategies: [s1],
  variants,
  possibleParents: ['parent'],
  dependencies: [{ feature: 'other' }],
  releasePlans: ['p1'],
  milestones: ['m1'],
}
const empty = { ...full, strategies: [], variants: [], possibleParents: [], releasePlans: [], milestones: [] }
const present = flags(full)
const gone = flags(empty, { segments: new Map() })

const strategyGone = 'Strategy has been deleted'
const planGone = 'Release plan has been deleted'
const milestoneGone = 'Milestone has been deleted'
const segmentGone = 'Segment has been deleted'
const order = { order: [{ id: 's1', sortOrder: 0 }] }
const parents = { dependencies: [{ feature: 'other' }] }
const segment = { name: 'beta users' }

/** Of each action: a payload that names what is there, the conflict once that is gone, and the snapshot. */
const rows: readonly (readonly [
  action: NewChange['action'],
  payload: NewChange['payload'],
  conflict?: string | undefined,
  snapshot?: unknown,
])[] = [
  ['updateSegment', { id: 4, name: 'beta', constraints: [] }, segmentGone, segment],
  ['deleteSegment', { id: 4 }, segmentGone, segment],
  ['updateEnabled', { enabled: false }, undefined, { enabled: true }],
  ['addStrategy', { name: 'default', id: 's0', constraints: [], parameters: {} }],
  ['updateStrategy', { id: 's1', title: 'some' }, strategyGone, s1],
  ['deleteStrategy', { id: 's1' }, strategyGone, s1],
  ['archiveFeature', {}],
  ['patchVariant', { variants: [] }, undefined, { variants }],
  ['reorderStrategy', [{ id: 's1', sortOrder: 1 }], strategyGone, order],
  ['addDependency', { feature: 'parent' }, 'Parent feature has been archived', parents],
  ['deleteDependency', { feature: 'parent' }, undefined, parents],
  ['addReleasePlan', { templateId: 'p0' }],
  ['startMilestone', { planId: 'p1', milestoneId: 'm1' }, planGone],
  ['deleteReleasePlan', { planId: 'p1' }, planGone],
  ['changeMilestoneProgression', { sourceMilestone: 'm1', targetMilestone: 'm2' }, milestoneGone],
  ['deleteMilestoneProgression', { sourceMilestone: 'm1' }, milestoneGone],
  ['resumeMilestoneProgression', { planId: 'p1' }, planGone],
  ['updateMilestoneStrategy', { id: 's9' }],
  ['changeReleasePlanSafeguard', { planId: 'p1', safeguard: {} }, planGone],
  ['deleteReleasePlanSafeguard', { planId: 'p1', safeguardId: 'g' }, planGone],
  ['changeFeatureEnvSafeguard', { safeguard: {} }],
  ['deleteFeatureEnvSafeguard', { safeguardId: 'g' }],
  ['changeSafeguard', { planId: 'p1', safeguard: {} }, planGone],
  ['deleteSafeguard', { planId: 'p1', safeguardId: 'g' }, planGone],
]
const cases = rows.map(([action, payload, conflict, snapshot]) => ({ action, payload, conflict, snapshot }))

const toChange = ({ action, payload }: Pick<NewChange, 'action' | 'payload'>): NewChange => {
  return { action, feature: action.endsWith('Segment') ? null : feature, payload }
}
const conflictOf = (change: NewChange, state: FlagState) => findConflicts(proposing(change), state).changes.get(1)
const snapshotOf = (change: NewChange, state: FlagState) =>
  withSnapshots(proposing(change), state).changes[0]?.snapshot as unknown

describe('an action', () => {
  it.each(cases)('$action has no conflict while its target is there', (row) => {
    expect(conflictOf(toChange(row), present)).toBeUndefined()
  })

  it.each(cases)('$action, once its target is gone: $conflict', ({ conflict, ...row }) => {
    expect(conflictOf(toChange(row), gone)).toBe(conflict)
  })

  it.each(cases.filter(({ action }) => !action.endsWith('Segment')))(
    '$action has no conflict where the gateway does not say what there is',
    (row) => {
      expect(conflictOf(toChange(row), flags())).toBeUndefined()
    },
  )

  it.each(cases)('$action stores with the change: $snapshot', ({ snapshot, ...row }) => {
    expect(snapshotOf(toChange(row), present)).toEqual(snapshot)
  })

  it.each(cases)('$action stores nothing of what is gone', (row) => {
    const nothing = { features: new Map(), segments: new Map() }
    expect(snapshotOf(toChange(row), nothing)).toBeUndefined()
  })

  it.each(cases)('$action: $payload is what it names, not the other properties of the payload', (row) => {
    const stray = Array.isArray(row.payload)
      ? row.payload
      : { id: 's1', planId: 'p1', sourceMilestone: 'm1', milestoneId: 'm1', ...(row.payload as object) }
    const before = conflictOf(toChange(row), gone)
    expect(conflictOf(toChange({ ...row, payload: stray }), gone)).toBe(before)
  })

  it('names each strategy of a new order', () => {
    const order = (...ids: string[]) => ({
      action: 'reorderStrategy' as const,
      feature,
      payload: ids.map((id, sortOrder) => ({ id, sortOrder })),
    })
    expect(conflictOf(order('s1', 's2'), present)).toBe(strategyGone)
    expect(conflictOf(order(), present)).toBeUndefined()
  })

  it('starts a milestone of a plan that is there only if the milestone is there, too', () => {
    const start = { action: 'startMilestone', feature, payload: { planId: 'p1', milestoneId: 'm2' } } as const
    expect(conflictOf(start, present)).toBe(milestoneGone)
  })

  it('keeps the strategy that it names, not its neighbours', () => {
    const two = flags({ strategies: [{ ...s1, id: 's0' }, s1] })
    expect(snapshotOf({ action: 'deleteStrategy', feature, payload: { id: 's1' } }, two)).toEqual(s1)
    expect(snapshotOf({ action: 'deleteStrategy', feature, payload: { id: 's2' } }, two)).toBeUndefined()
    expect(snapshotOf({ action: 'deleteStrategy', feature, payload: { id: 's1' } }, flags())).toBeUndefined()
    expect(snapshotOf({ action: 'patchVariant', feature, payload: { variants } }, flags())).toBeUndefined()
  })
})

describe('allActions', () => {
  it('lists each action once, as messages do', () => {
    expect(new Set(allActions).size).toBe(allActions.length)
    expect(allActions).toEqual(expect.arrayContaining(rows.map(([action]) => action)))
  })

  it.each([
    ['switch', ['updateEnabled']],
    ['archive', ['archiveFeature']],
    ['change', rows.map(([action]) => action).filter((action) => !/^(updateEnabled|archiveFeature)$/.test(action))],
  ])('carried out at the stage %s: %j', (stage, expected) => {
    expect(rows.map(([action]) => action).filter((action) => definitionOf({ action }).stage === stage)).toEqual(
      expected,
    )
  })

  it.each([
    ['segment', ['updateSegment', 'deleteSegment']],
    ['flag', ['archiveFeature']],
    ['switch', ['updateEnabled']],
    ['strategy', ['updateStrategy', 'deleteStrategy', 'updateMilestoneStrategy']],
    ['strategies', ['addStrategy', 'reorderStrategy']],
    ['variants', ['patchVariant']],
    ['parents', ['addDependency', 'deleteDependency']],
    ['release plan', ['addReleasePlan', 'deleteReleasePlan']],
    [
      'milestone',
      ['startMilestone', 'changeMilestoneProgression', 'deleteMilestoneProgression', 'resumeMilestoneProgression'],
    ],
    [
      'safeguard',
      [
        'changeReleasePlanSafeguard',
        'deleteReleasePlanSafeguard',
        'changeFeatureEnvSafeguard',
        'deleteFeatureEnvSafeguard',
        'changeSafeguard',
        'deleteSafeguard',
      ],
    ],
  ])('whose target is %s: %j', (target, expected) => {
    const known = rows.map(([action]) => action)
    expect(known.filter((action) => definitionOf({ action }).target === target)).toEqual(
      expect.arrayContaining(expected),
    )
    expect(known.filter((action) => definitionOf({ action }).target === target)).toHaveLength(expected.length)
  })
})
