import type { SubmittedChange } from '../../../src/generated'
import { stepsInto } from '../../../src/page/app/screens/flag/own-steps'
import type { ChangeItem } from '../../../src/page/app/words/content/items'

const change = (action: string, payload: unknown, feature: string | undefined = 'checkout') =>
  ({ action, payload, ...(feature !== '' && { feature }) }) as SubmittedChange

/** A change of the open change request, with what it alters: path, current and proposed value. */
function open(id: number, one: SubmittedChange, ...fields: (readonly [string, unknown, unknown])[]): ChangeItem {
  const { action, payload, feature = null } = one as { action: string; payload: object; feature?: string }
  return {
    ...{ id, action, feature, payload, before: null, after: null, endsAtEverybody: false, conflict: null },
    ...{ causedBy: null, createdBy: undefined, createdAt: undefined, otherScheduled: [], nowKnown: true },
    fields: fields.map(([path, current, proposed]) => ({ path, base: current, current, proposed, overwrites: false })),
  }
}

/** `7: …` replaces change 7, `-7` discards it, `+` adds. */
function steps(items: readonly ChangeItem[], ...changes: SubmittedChange[]): readonly (readonly [string, unknown])[] {
  return stepsInto([{ key: '', name: '', kind: 'flag', changes: items, implied: undefined }], changes).map((step) => {
    switch (step.kind) {
      case 'replace':
        return [String(step.item.id), step.change]
      case 'discard':
        return [`-${step.item.id}`, undefined]
      case 'add':
        return ['+', step.changes]
      default:
        throw new Error(step.kind)
    }
  })
}

const rollout = (rollout: string, more: object = {}) =>
  change('updateStrategy', { id: 's1', parameters: { rollout, stickiness: 'default', ...more } })
const on = change('updateEnabled', { enabled: true })

describe('changes into an open change request', () => {
  it.each([
    ['the switch', on, change('updateEnabled', { enabled: true, shouldActivateDisabledStrategies: true })],
    ['a deleted strategy', rollout('60'), change('deleteStrategy', { id: 's1' })],
    ['variants', change('patchVariant', { variants: [] }), change('patchVariant', { variants: [{ name: 'blue' }] })],
    ['the order', change('reorderStrategy', []), change('reorderStrategy', [{ id: 's1', sortOrder: 1 }])],
    ['a parent', change('addDependency', { feature: 'a' }), change('deleteDependency', { feature: 'a' })],
    ['a segment', change('deleteSegment', { id: 4 }, ''), change('updateSegment', { id: 4, name: 'Beta' }, '')],
    ['a plan', change('deleteReleasePlan', { planId: 'p' }), change('deleteReleasePlan', { planId: 'p' })],
  ])('replace the change of the same target: %s', (_, before, after) => {
    expect(steps([open(7, before)], after)).toEqual([['7', after]])
  })

  it.each([
    ['another strategy', rollout('60'), change('updateStrategy', { id: 's2', title: 'Few' })],
    ['another flag', on, change('updateEnabled', { enabled: true }, 'dark-mode')],
    ['another parent', change('addDependency', { feature: 'a' }), change('addDependency', { feature: 'b' })],
    ['another segment', change('deleteSegment', { id: 4 }, ''), change('deleteSegment', { id: 5 }, '')],
    [
      'one more strategy',
      change('addStrategy', { name: 'default' }),
      change('addStrategy', { name: 'flexibleRollout' }),
    ],
  ])('are added if they alter %s', (_, before, after) => {
    expect(steps([open(7, before)], after)).toEqual([['+', [after]]])
  })

  it('are replaced first, and all others are added in one call', () => {
    const [title, other] = [change('updateStrategy', { id: 's2', title: 'Few' }), change('archiveFeature', {}, 'old')]
    expect(steps([open(7, on), open(8, rollout('60'))], title, rollout('70'), other, on)).toEqual([
      ['8', rollout('70')],
      ['7', on],
      ['+', [title, other]],
    ])
  })

  it('keep what the replaced change alters otherwise', () => {
    const before = change('updateStrategy', {
      ...{ id: 's1', title: 'Nordics', parameters: { rollout: '60', stickiness: 'userId' } },
    })
    const fields = [
      ['/title', '', 'Nordics'],
      ['/parameters/rollout', '50', '60'],
      ['/parameters/stickiness', 'default', 'userId'],
    ] as const
    expect(steps([open(7, before, ...fields)], rollout('70'))).toEqual([
      [
        '7',
        change('updateStrategy', {
          ...{ id: 's1', title: 'Nordics', parameters: { rollout: '70', stickiness: 'userId' } },
        }),
      ],
    ])
  })

  it('leave one change of a target that had several', () => {
    const title = open(8, change('updateStrategy', { id: 's1', title: 'Few' }), ['/title', '', 'Few'])
    expect(steps([open(7, rollout('60'), ['/parameters/rollout', '50', '60']), title], rollout('70'))).toEqual([
      ['8', change('updateStrategy', { id: 's1', title: 'Few', parameters: { rollout: '70', stickiness: 'default' } })],
      ['-7', undefined],
    ])
  })
})
