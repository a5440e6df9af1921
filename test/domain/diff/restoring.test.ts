import type { Change, JsonValue } from '../../../src/domain/change-request'
import { isRestoring, restoresOf } from '../../../src/domain/diff/restoring'
import type { Action } from '../../../src/generated/index'
import { hashOf } from '../../../src/kernel/digest'
import { change } from '../support/change-requests'

/** Of the flag `checkout` by default. */
type Part = readonly [Action, JsonValue, feature?: string]

const hash = (value: JsonValue) => JSON.stringify(value)
const changesOf = (parts: readonly Part[]): Change[] =>
  parts.map(([action, payload, feature = 'checkout'], index) =>
    change(index + 1, { action, feature: action.endsWith('Segment') ? null : feature, payload }),
  )

const add = (feature: string): Part => ['addDependency', { feature, enabled: true }]
const order = (...ids: readonly string[]): Part => ['reorderStrategy', ids.map((id, sortOrder) => ({ id, sortOrder }))]
const segment = (name: string): Part => ['updateSegment', { id: 4, name, constraints: [] }]
const strategy: Part = ['addStrategy', { name: 'default', constraints: [], parameters: {} }]
const edit = (payload: object, id = 's1'): Part => ['updateStrategy', { id, ...payload }]

/** @see contract 17 */
describe('isRestoring(changeRequest, hash)', () => {
  it.each<[string, readonly Part[], readonly Part[], boolean]>([
    ['each of two equal changes', [strategy, strategy], [strategy], false],
    ['with a further equal one', [strategy], [strategy, strategy], true],
    ['a strategy, and another one is added', [strategy], [strategy, ['addStrategy', { name: 'userWithId' }]], true],
    [
      'a title, and another property is set',
      [edit({ title: 'a' })],
      [edit({ title: 'a' }), edit({ disabled: true })],
      true,
    ],
    ['a title, and another one is set', [edit({ title: 'a' })], [edit({ title: 'a' }), edit({ title: 'b' })], false],
    [
      'a title, and that of another strategy is set',
      [edit({ title: 'a' })],
      [edit({ title: 'a' }), edit({ title: 'b' }, 's2')],
      true,
    ],
    ['a parent, and another one is added', [add('a')], [add('a'), add('b')], true],
    ['a parent, and all are removed afterwards', [add('a')], [add('a'), ['deleteDependency', {}]], false],
    ['a parent, and another one is removed', [add('a')], [add('a'), ['deleteDependency', { feature: 'b' }]], true],
    ['a parent, and it is removed before', [add('a')], [['deleteDependency', { feature: 'a' }], add('a')], true],
    ['a parent, and it is added with variants', [add('a')], [add('a'), ['addDependency', { feature: 'a' }]], false],
    ['an order, and another one is set', [order('a', 'b')], [order('a', 'b'), order('b', 'a')], false],
    ['an order, and a longer one is set', [order('a')], [order('a'), order('a', 'b')], false],
    [
      'an order, and the variants and that of another flag are set',
      [order('a')],
      [order('a'), ['patchVariant', { variants: [] }], ['reorderStrategy', [], 'search']],
      true,
    ],
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
    ['states the same in another order', old, { title: 'old', id: 's1' }, true],
    ['states the same in another form', { ...old, segments: [1, 2] }, { ...old, segments: [2, 1] }, true],
  ])('of a strategy, edited into a change that %s', (_, inverse, edited, expected) => {
    const restores = restoresOf(changesOf([['updateStrategy', inverse]]), hashOf)
    expect(isRestoring({ changes: changesOf([['updateStrategy', edited]]), restores }, hashOf)).toBe(expected)
  })

  it('holds for an addition, whether it states a default or not', () => {
    const [action, payload] = strategy
    const added = (given: object) => changesOf([[action, { ...(payload as object), ...given } as JsonValue]])
    const restores = restoresOf(added({ segments: [] }), hashOf)
    expect(isRestoring({ changes: added({}), restores }, hashOf)).toBe(true)
  })

  it('holds for a revert that an earlier version created', () => {
    expect(isRestoring({ changes: [] }, hash)).toBe(true)
  })
})
