import { definitionOf } from '../../../src/domain/actions/table'
import {
  conflictOf,
  emptied,
  feature,
  present,
  s1,
  s2,
  snapshotOf,
  testActions,
  testInverses,
} from '../support/action-rows'
import { flags } from '../support/change-requests'

const conflict = 'Strategy has been deleted'
const ofOne = { target: 'strategy', scope: 'environment', stage: 'change' } as const
const ofAll = { target: 'strategies', scope: 'environment', stage: 'change' } as const
const order = {
  order: [
    { id: 's1', sortOrder: 5 },
    { id: 's2', sortOrder: 7 },
  ],
}

describe('the actions of strategies', () => {
  testActions([
    {
      action: 'addStrategy',
      payload: { name: 'default', id: 's1', constraints: [], parameters: {} },
      is: ofAll,
      part: null,
      other: [{}, null],
      isAlwaysKnown: true,
    },
    {
      action: 'updateStrategy',
      payload: { id: 's1', title: 'some' },
      is: ofOne,
      conflict,
      snapshot: s1,
      part: s1,
      other: [{ id: 's9' }, null],
    },
    {
      action: 'deleteStrategy',
      payload: { id: 's2' },
      is: ofOne,
      conflict,
      snapshot: s2,
      part: s2,
      other: [{ id: 's9' }, null],
    },
    {
      action: 'reorderStrategy',
      payload: [{ id: 's1', sortOrder: 1 }],
      is: ofAll,
      conflict,
      snapshot: order,
      part: order,
      other: [[], order],
    },
  ])
  testInverses([
    ['updateStrategy', { id: 's1', title: 'some', disabled: true }],
    ['reorderStrategy', [{ id: 's1', sortOrder: 6 }]],
  ])

  it('of a new order name each of its strategies', () => {
    const reordering = (...ids: string[]) => ({
      action: 'reorderStrategy' as const,
      feature,
      payload: ids.map((id, sortOrder) => ({ id, sortOrder })),
    })
    expect(conflictOf(reordering('s1', 's9'), present)).toBe(conflict)
    expect(conflictOf(reordering(), emptied)).toBeUndefined()
  })

  it('store only the strategy that they name', () => {
    expect(snapshotOf({ action: 'deleteStrategy', feature, payload: { id: 's9' } }, present)).toBeUndefined()
    expect(snapshotOf({ action: 'deleteStrategy', feature, payload: { id: 's1' } }, flags())).toBeUndefined()
  })

  it('use the position of a strategy without a sort order', () => {
    const { sortOrder, ...unnumbered } = s2
    const state = flags({ strategies: [s1, unnumbered] })
    expect(snapshotOf({ action: 'reorderStrategy', feature, payload: [] }, state)).toEqual({
      order: [
        { id: 's1', sortOrder: 5 },
        { id: 's2', sortOrder: 1 },
      ],
    })
  })

  it('of a new order sort the strategies, and leave those that they do not name where they are', () => {
    const { after } = definitionOf({ action: 'reorderStrategy' })
    const state = { archived: false, enabled: true, strategies: [s1, { ...s2, id: 's3', sortOrder: 6 }, s2] }
    const { strategies } = after([{ id: 's1', sortOrder: 9 }], state, 1) as typeof state
    expect(strategies.map(({ id, sortOrder }) => [id, sortOrder])).toEqual([
      ['s3', 6],
      ['s2', 7],
      ['s1', 9],
    ])
  })

  it('of one replace it among the known ones, and add it otherwise', () => {
    const { withPart } = definitionOf({ action: 'updateStrategy' })
    const edited = { ...s1, title: 'some' }
    const among = (...strategies: readonly object[]) =>
      (withPart({}, edited, { archived: false, enabled: true, strategies } as never) as { strategies: unknown })
        .strategies
    expect([among(s1, s2), among(s2)]).toEqual([
      [edited, s2],
      [s2, edited],
    ])
  })

  it('delete the added one, by the id that the gateway returned', () => {
    const { inverse } = definitionOf({ action: 'addStrategy' })
    expect(inverse?.({}, { created: 'x' })).toEqual([{ action: 'deleteStrategy', payload: { id: 'x' } }])
    expect(inverse?.({}, {})).toBeUndefined()
  })

  it('add the deleted one, under a new id from the store', () => {
    const { id, ...strategy } = s1
    const { inverse } = definitionOf({ action: 'deleteStrategy' })
    expect(inverse?.({ id }, { snapshot: s1 })).toEqual([{ action: 'addStrategy', payload: strategy }])
    expect(inverse?.({ id }, {})).toBeUndefined()
  })
})
