import type { SubmittedChange } from '../../../src/generated'
import type { StoredChange } from '../../../src/page/app/screens/authoring/model/stored-change'
import { editNow, type KeptEdit, storedEdit } from '../../../src/page/app/screens/change/stored-edit'
import { changesOf } from '../../../src/page/app/screens/flag/model/changes'
import { conflictsOf, type FlagEdit, withOwn } from '../../../src/page/app/screens/flag/model/edit'

const strategy = (id: string, rollout: string, more: object = {}) => ({
  ...{ id, name: 'flexibleRollout', title: '', constraints: [], disabled: false },
  parameters: { rollout, stickiness: 'default' },
  ...more,
})

/** The flag, as it is read. */
const read = (half = '50', more: object = {}) => ({
  state: {
    ...{ archived: false, enabled: false, variants: [], dependencies: [] },
    strategies: [strategy('half', half, { sortOrder: 1, ...more }), strategy('few', '5', { sortOrder: 2 })],
  },
  targets: { half: 'digest-of-half', enabled: 'digest-of-enabled' } as never,
})

const stored = (action: string, payload: unknown, fields: StoredChange['fields'] = []): StoredChange => ({
  ...{ id: 1, action, feature: 'checkout', payload, fields },
})

const rollout = (proposed: string) =>
  stored('updateStrategy', { id: 'half', parameters: { rollout: proposed, stickiness: 'default' } }, [
    { path: '/parameters/rollout', base: '50', current: '50', proposed, overwrites: false },
  ])

const begin = (change: StoredChange, now = read()) =>
  storedEdit(change, now) as NonNullable<ReturnType<typeof storedEdit>>
const sent = (edit: FlagEdit): readonly SubmittedChange[] => changesOf(edit, [], 'checkout')
const path = '/strategies/half/parameters/rollout'

describe('the edit of a stored change', () => {
  it.each([
    ['updateEnabled', { enabled: true, shouldActivateDisabledStrategies: false }, '/enabled', { enabled: true }],
    ['updateStrategy', { id: 'half', title: 'Half' }, '/strategies/half', undefined],
    ['patchVariant', { variants: [{ name: 'blue', weight: 1000 }] }, '/variants', undefined],
    [
      'reorderStrategy',
      [
        { id: 'half', sortOrder: 9 },
        { id: 'few', sortOrder: 3 },
      ],
      '/strategies',
      expect.anything(),
    ],
    ['addDependency', { feature: 'a/b' }, '/dependencies/a~1b', undefined],
  ])('of %s sends what was stored, and is about one part', (action, payload, only, different) => {
    const found = begin(stored(action, payload))
    expect(found.only).toBe(only)
    expect(sent(found.edit)).toEqual([expect.objectContaining({ action, payload: different ?? payload })])
  })

  it('of addStrategy is about a new one', () => {
    const added = { name: 'default', constraints: [], parameters: {} }
    const { edit, only } = begin(stored('addStrategy', added))
    expect(only).toBe('/strategies/new 1')
    expect(sent(edit)).toEqual([{ action: 'addStrategy', feature: 'checkout', payload: added }])
  })

  it('is none where no control shows the change', () => {
    for (const change of [stored('archiveFeature', {}), stored('updateStrategy', { id: 'gone', title: '' })])
      expect(storedEdit(change, read())).toBeUndefined()
  })

  it('follows the flag in what it does not alter, and has a conflict in what both alter', () => {
    const { edit } = begin(rollout('30'), read('60', { title: 'Norway' }))
    expect(edit.own.strategies).toEqual([expect.objectContaining({ title: 'Norway' }), expect.anything()])
    expect(conflictsOf(edit).map(({ path, own, now }) => [path, own, now])).toEqual([[path, '30', '60']])
    expect(conflictsOf(begin(rollout('30'), read('50', { title: 'Norway' })).edit)).toEqual([])
  })

  it('merges with what another window made of the change', () => {
    const { edit } = begin(rollout('30'))
    const kept: KeptEdit = {
      ...{ project: 'default', environment: 'production', feature: 'checkout', action: 'updateStrategy' },
      ...{ stored: rollout('30'), begun: edit.own, edit: withOwn(edit, path, '40') },
    }
    const other = stored('updateStrategy', {
      id: 'half',
      title: 'Other',
      parameters: { rollout: '35', stickiness: 'default' },
    })
    const now = begin(other).edit
    expect(editNow(kept, now, read(), 1)).toMatchObject({ edit: { own: kept.edit.own }, edited: [] })
    const { edit: merged, edited } = editNow(kept, now, read(), 2)
    expect(edited.map(({ path, own, now, isOwn }) => [path, own, now, isOwn])).toEqual([
      ['/strategies/half/title', '', 'Other', false],
      [path, '40', '35', true],
    ])
    expect(sent(merged)).toMatchObject([{ payload: { id: 'half', title: 'Other', parameters: { rollout: '40' } } }])
  })
})
