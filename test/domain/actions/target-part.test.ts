import { allActions } from '../../../src/domain/actions/actions'
import { targetPart } from '../../../src/domain/actions/target-part'
import type { NewChange } from '../../../src/domain/change-request'
import { flags } from '../support/change-requests'

const s1 = { id: 's1', name: 'default', disabled: false, title: 'everybody', sortOrder: 5 }
const s2 = { id: 's2', name: 'default', disabled: true }
const full = flags({
  enabled: true,
  strategies: [s1, s2],
  variants: [{ name: 'blue', weight: 1000 }],
  dependencies: [{ feature: 'parent', enabled: true }],
  releasePlans: ['p1'],
  milestones: ['m1'],
})
const order = {
  order: [
    { id: 's1', sortOrder: 5 },
    { id: 's2', sortOrder: 1 },
  ],
}
const parents = { dependencies: [{ feature: 'parent', enabled: true }] }

/** Of each action: a payload, the part of the full flag that it can alter, and that part where the target is gone. */
const rows: readonly (readonly [NewChange['action'], NewChange['payload'], unknown, NewChange['payload'], unknown])[] =
  [
    ['updateSegment', { id: 4 }, { name: 'beta users' }, { id: 5 }, null],
    ['deleteSegment', { id: 4 }, { name: 'beta users' }, { id: 5 }, null],
    ['updateEnabled', { enabled: false }, { enabled: true }, {}, { enabled: true }],
    ['addStrategy', { name: 'default', id: 's1' }, null, {}, null],
    ['updateStrategy', { id: 's1' }, s1, { id: 's9' }, null],
    ['deleteStrategy', { id: 's2' }, s2, { id: 's9' }, null],
    ['archiveFeature', {}, { archived: false }, {}, { archived: false }],
    [
      'patchVariant',
      {},
      { variants: [{ name: 'blue', weight: 1000 }] },
      {},
      { variants: [{ name: 'blue', weight: 1000 }] },
    ],
    ['reorderStrategy', [{ id: 's1', sortOrder: 2 }], order, [], order],
    ['addDependency', { feature: 'other' }, parents, {}, parents],
    ['deleteDependency', {}, parents, {}, parents],
    ['addReleasePlan', { templateId: 'p1' }, null, {}, null],
    ['startMilestone', { planId: 'p1', milestoneId: 'm1' }, { id: 'm1' }, { milestoneId: 'm9' }, null],
    ['deleteReleasePlan', { planId: 'p1' }, { id: 'p1' }, { planId: 'p9' }, null],
    ['changeMilestoneProgression', { sourceMilestone: 'm1' }, { id: 'm1' }, { sourceMilestone: 'm9' }, null],
    ['deleteMilestoneProgression', { sourceMilestone: 'm1' }, { id: 'm1' }, { sourceMilestone: 'm9' }, null],
    ['resumeMilestoneProgression', { planId: 'p1' }, { id: 'p1' }, { planId: 'p9' }, null],
    ['updateMilestoneStrategy', { id: 's1' }, undefined, {}, undefined],
    ['changeReleasePlanSafeguard', { planId: 'p1' }, undefined, {}, undefined],
    ['deleteReleasePlanSafeguard', { planId: 'p1' }, undefined, {}, undefined],
    ['changeFeatureEnvSafeguard', {}, undefined, {}, undefined],
    ['deleteFeatureEnvSafeguard', {}, undefined, {}, undefined],
    ['changeSafeguard', { planId: 'p1' }, undefined, {}, undefined],
    ['deleteSafeguard', { planId: 'p1' }, undefined, {}, undefined],
  ]
const cases = rows.map(([action, payload, part, other, ofOther]) => ({ action, payload, part, other, ofOther }))

const toChange = (action: NewChange['action'], payload: NewChange['payload']): NewChange => {
  return { action, feature: action.endsWith('Segment') ? null : 'checkout', payload }
}

describe('targetPart(change, flags)', () => {
  it.each(cases)('$action can alter $part', ({ action, payload, part }) => {
    expect(targetPart(toChange(action, payload), full)).toEqual(part)
  })

  it.each(cases)('$action of $other: $ofOther', ({ action, other, ofOther }) => {
    expect(targetPart(toChange(action, other), full)).toEqual(ofOther)
  })

  it('is a table of actions that there are', () => {
    expect(allActions).toEqual(expect.arrayContaining(rows.map(([action]) => action)))
  })

  it.each(cases)('$action: null where the flag or segment is gone', ({ action, payload }) => {
    expect(targetPart(toChange(action, payload), { features: new Map(), segments: new Map() })).toBeNull()
  })

  it.each(
    cases.filter(({ action }) => !/Segment$|^(updateEnabled|archiveFeature|addStrategy|addReleasePlan)$/.test(action)),
  )('$action: undefined where the gateway does not say what there is', ({ action, payload }) => {
    expect(targetPart(toChange(action, payload), flags())).toBeUndefined()
  })

  it('stays as it was read', () => {
    const strategy = { ...s1 }
    const part = targetPart(toChange('updateStrategy', { id: 's1' }), flags({ strategies: [strategy] }))
    strategy.title = 'altered'
    expect(part).toEqual(s1)
  })
})
