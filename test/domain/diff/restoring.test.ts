import type { Change, JsonValue } from '../../../src/domain/change-request'
import { isRestoring, restoresOf } from '../../../src/domain/diff/restoring'
import type { Action } from '../../../src/generated/index'
import { hashOf } from '../../../src/kernel/digest'
import { change } from '../support/change-requests'

type Part = readonly [Action, JsonValue]

const hash = (value: JsonValue) => JSON.stringify(value)
const changesOf = (parts: readonly Part[]): Change[] =>
  parts.map(([action, payload], index) => {
    const feature = action.endsWith('Segment') ? null : 'checkout'
    return change(index + 1, { action, feature, payload })
  })

const add = (feature: string): Part => ['addDependency', { feature, enabled: true }]
const order = (...ids: readonly string[]): Part => ['reorderStrategy', ids.map((id, sortOrder) => ({ id, sortOrder }))]
const segment = (name: string): Part => ['updateSegment', { id: 4, name, constraints: [] }]
const strategy: Part = ['addStrategy', { name: 'default', constraints: [], parameters: {} }]

/** @see contract 17 */
describe('isRestoring(changeRequest, hash)', () => {
  it.each<[string, readonly Part[], readonly Part[], boolean]>([
    ['each of two equal changes', [strategy, strategy], [strategy], false],
    ['with a further equal one', [strategy], [strategy, strategy], true],
    ['a parent, and another one is added', [add('a')], [add('a'), add('b')], true],
    ['a parent, and all are removed afterwards', [add('a')], [add('a'), ['deleteDependency', {}]], false],
    ['a parent, and another one is removed', [add('a')], [add('a'), ['deleteDependency', { feature: 'b' }]], true],
    ['a parent, and it is removed before', [add('a')], [['deleteDependency', { feature: 'a' }], add('a')], true],
    ['a parent, and it is added with variants', [add('a')], [add('a'), ['addDependency', { feature: 'a' }]], false],
    ['an order, and another one is set', [order('a', 'b')], [order('a', 'b'), order('b', 'a')], false],
    ['a segment, and its name is set again', [segment('a')], [segment('a'), segment('b')], false],
    ['a segment, and it is deleted', [segment('a')], [segment('a'), ['deleteSegment', { id: 4 }]], false],
    ['a segment, and another one is deleted', [segment('a')], [segment('a'), ['deleteSegment', { id: 5 }]], true],
    [
      'variants, and others are set',
      [['patchVariant', { variants: [] }]],
      [
        ['patchVariant', { variants: [] }],
        ['patchVariant', { variants: [{ name: 'a', weight: 1000 }] }],
      ],
      false,
    ],
  ])('%s', (_, inverses, changes, expected) => {
    const restores = restoresOf(changesOf(inverses), hash)
    expect(isRestoring({ changes: changesOf(changes), restores }, hash)).toBe(expected)
  })

  const old = { id: 's1', title: 'old' }
  it.each<[string, JsonValue, JsonValue, boolean]>([
    ['clears a list that it kept', old, { ...old, segments: [] }, false],
    ['keeps a list that it cleared', { ...old, segments: [] }, old, false],
    ['keeps the title that it removed', { id: 's1', disabled: true, title: null }, { id: 's1', disabled: true }, false],
    ['states the same in another form', { ...old, segments: [1, 2] }, { ...old, segments: [2, 1] }, true],
  ])('of a strategy, edited into a change that %s', (_, inverse, edited, expected) => {
    const restores = restoresOf(changesOf([['updateStrategy', inverse]]), hashOf)
    expect(isRestoring({ changes: changesOf([['updateStrategy', edited]]), restores }, hashOf)).toBe(expected)
  })

  it('holds for a revert that an earlier version created', () => {
    expect(isRestoring({ changes: [] }, hash)).toBe(true)
  })
})
