import { activatable, changesOf } from '../../../src/page/app/screens/flag/model/changes'
import {
  beginEdit,
  canEdit,
  choose,
  follow,
  isEditedAt,
  newId,
  undo,
  wasAt,
  withOwn,
} from '../../../src/page/app/screens/flag/model/edit'
import { type JsonObject, listOf, objectOf } from '../../../src/page/app/words/json'
import { feature, offered, readOf } from './support/random-flags'

const strategy = (id: string, rollout: string, others: JsonObject = {}) => ({
  ...{ id, name: 'flexibleRollout', title: '', disabled: false, constraints: [], parameters: { rollout } },
  ...others,
})
const state = {
  archived: false,
  enabled: true,
  strategies: [strategy('s2', '20', { sortOrder: 1 }), strategy('s1', '10', { sortOrder: 0 })],
  variants: [{ name: 'a/b', weight: 1000 }],
  dependencies: [{ feature: 'payments', enabled: true }],
}
const read = readOf(state)
const edit = beginEdit(read)
const written = (one: typeof edit) => changesOf(one, offered, feature)
const idsOf = (one: typeof edit) => listOf(one.own.strategies).map((strategy) => objectOf(strategy).id)
const added = (one: typeof edit, at: number, others: JsonObject = {}) =>
  withOwn(one, '/strategies', listOf(one.own.strategies).toSpliced(at, 0, strategy(newId(one), '5', others)))

describe('the edit of a flag', () => {
  it('begins with nothing to send, and the strategies in their order', () => {
    expect(written(edit)).toEqual([])
    expect(idsOf(edit)).toEqual(['s1', 's2'])
    expect(beginEdit({ state: null, targets: {} }).own).toEqual({})
  })

  it('sends the changed properties of a strategy with the digest of what was read', () => {
    const rolled = withOwn(edit, '/strategies/s1/parameters/rollout', '75')
    const expected = read.targets.s1
    expect(expected).toEqual(expect.any(String))
    expect(written(rolled)).toEqual([
      { action: 'updateStrategy', feature, payload: { id: 's1', parameters: { rollout: '75' } }, expected },
    ])
    expect(isEditedAt(rolled, '/strategies/s1/parameters/rollout')).toBe(true)
    expect(isEditedAt(rolled, '/strategies/s1/title')).toBe(false)
    expect(wasAt(rolled, '/strategies/s1/parameters/rollout')).toBe('10')
    expect(written(undo(rolled, '/strategies/s1/parameters/rollout'))).toEqual([])
  })

  it('sends a removed property as empty, and numbers of parameters as text', () => {
    const emptied = withOwn(withOwn(edit, '/strategies/s1/title', undefined), '/strategies/s2/parameters', undefined)
    const titled = beginEdit(readOf({ ...state, strategies: [strategy('s1', '10', { title: 'Half' })] }))
    expect(written(withOwn(titled, '/strategies/s1/title', undefined))).toMatchObject([
      { payload: { id: 's1', title: null } },
    ])
    expect(written(emptied)).toMatchObject([{ payload: { id: 's2', parameters: {} } }])
    expect(written(withOwn(edit, '/strategies/s1/parameters/rollout', 75))).toMatchObject([
      { payload: { parameters: { rollout: '75' } } },
    ])
  })

  it('sends one value for a field that its store has not', () => {
    const bare = beginEdit(readOf({ archived: false, enabled: true, strategies: [{ id: 'rollout', name: 'default' }] }))
    expect(written(withOwn(bare, '/strategies/rollout/parameters/rollout', '5'))).toMatchObject([
      { payload: { id: 'rollout', parameters: { rollout: '5' } } },
    ])
  })

  it.each([
    [0, [-1]],
    [1, [0.5]],
    [2, [2]],
  ])('gives a strategy that is added at %j a sort order, and leaves the others', (at, sortOrders) => {
    const changes = written(added(edit, at))
    expect(changes.map(({ action }) => action)).toEqual(['addStrategy'])
    expect(changes.map((one) => objectOf((one as { payload?: unknown }).payload).sortOrder)).toEqual(sortOrders)
    expect(changes[0]).not.toHaveProperty('payload.id')
  })

  it('adds several at one place with whole sort orders where there is room', () => {
    const wide = beginEdit(
      readOf({ ...state, strategies: [strategy('a', '1', { sortOrder: 10 }), strategy('b', '1', { sortOrder: 20 })] }),
    )
    expect(written(added(added(wide, 1), 2))).toMatchObject([
      { payload: { sortOrder: 11 } },
      { payload: { sortOrder: 12 } },
    ])
  })

  it('orders the existing strategies only if they change places, or if there is no room between them', () => {
    const moved = withOwn(edit, '/strategies', [...listOf(edit.own.strategies)].reverse())
    expect(written(moved)).toMatchObject([
      {
        action: 'reorderStrategy',
        payload: [
          { id: 's2', sortOrder: 0 },
          { id: 's1', sortOrder: 1 },
        ],
        expected: read.targets.order,
      },
    ])
    const same = beginEdit(
      readOf({ ...state, strategies: state.strategies.map((one) => ({ ...one, sortOrder: 9999 })) }),
    )
    expect(written(added(same, 1)).map(({ action }) => action)).toEqual(['addStrategy', 'reorderStrategy'])
    expect(written(added(same, 2)).map(({ action }) => action)).toEqual(['addStrategy'])
  })

  it('leaves out the sort order where the action does not take it', () => {
    const narrow = offered.map((one) => {
      const { sortOrder: _, ...properties } = objectOf(objectOf(objectOf(one.schema.properties).payload).properties)
      return one.action === 'addStrategy'
        ? { ...one, schema: { ...one.schema, properties: { payload: { type: 'object', properties } } } }
        : one
    }) as typeof offered
    expect(canEdit(narrow, 'addStrategy', 'title')).toBe(true)
    expect(canEdit(narrow, 'addStrategy', 'sortOrder')).toBe(false)
    expect(canEdit([], 'addStrategy')).toBe(false)
    expect(changesOf(added(edit, 0), narrow, feature)[0]).not.toHaveProperty('payload.sortOrder')
  })

  it('brings a deleted strategy back at its place', () => {
    const deleted = withOwn(edit, '/strategies/s1', undefined)
    expect(written(deleted)).toMatchObject([
      { action: 'deleteStrategy', payload: { id: 's1' }, expected: read.targets.s1 },
    ])
    expect(idsOf(undo(added(deleted, 1), '/strategies/s1'))).toEqual(['s1', 's2', 'new 1'])
    expect(idsOf(undo(added(edit, 1), '/strategies/new 1'))).toEqual(['s1', 's2'])
  })

  it('names what switching on could activate, and activates it only if that is chosen', () => {
    const off = (disabled: boolean) =>
      beginEdit(readOf({ ...state, enabled: false, strategies: state.strategies.map((one) => ({ ...one, disabled })) }))
    const on = withOwn(off(true), '/enabled', true)
    expect(activatable(on).map(({ id }) => id)).toEqual(['s1', 's2'])
    expect(activatable(off(true))).toEqual([])
    expect(activatable(withOwn(off(false), '/enabled', true))).toEqual([])
    expect(activatable(added(on, 0))).toEqual([])
    expect(written(on)).toMatchObject([{ payload: { enabled: true }, expected: on.targets.enabled }])
    const { activation } = on.targets
    const payload = { enabled: true, shouldActivateDisabledStrategies: true }
    expect(written({ ...on, activates: true })).toMatchObject([{ payload, expected: activation }])
    expect(written({ ...added(on, 0), activates: true }).at(-1)).toMatchObject({ payload: { enabled: true } })
  })

  it('switches off first, and switches on, applies what has no control, and archives last', () => {
    const other = { action: 'addReleasePlan', feature, payload: { templateId: 't' } } as const
    const archived = withOwn(added(edit, 0), '/archived', true)
    const actions = (one: typeof edit) => written({ ...one, others: [other] }).map(({ action }) => action)
    expect(actions(withOwn(archived, '/enabled', false))).toEqual([
      ...['updateEnabled', 'addStrategy', 'addReleasePlan', 'archiveFeature'],
    ])
    const off = beginEdit(readOf({ ...state, enabled: false }))
    expect(actions(withOwn(off, '/enabled', true))).toEqual(['addReleasePlan', 'updateEnabled'])
  })

  it('sends only what differs of a strategy of a milestone, which is written in a form', () => {
    const milestone = { ...strategy('m1', '5'), milestoneId: 'first' }
    const begun = beginEdit(readOf({ ...state, milestoneStrategies: [milestone] }))
    const payload = { id: 'm1', title: '', constraints: [], parameters: { rollout: 15 } }
    const other = { action: 'updateMilestoneStrategy', feature, payload } as never
    expect(written({ ...begun, others: [other] })).toEqual([
      {
        ...{ action: 'updateMilestoneStrategy', feature, payload: { id: 'm1', parameters: { rollout: '15' } } },
        expected: begun.targets.m1,
      },
    ])
  })

  it('sends the variants as a whole, and parents one by one', () => {
    const weighed = withOwn(edit, '/variants/a~1b/payload', { type: 'json', value: '{}' })
    expect(written(weighed)).toEqual([
      expect.objectContaining({
        payload: { variants: [{ name: 'a/b', weight: 1000, payload: { type: 'json', value: '{}' } }] },
        expected: read.targets.variants,
      }),
    ])
    const parents = [{ feature: 'billing', enabled: false, variants: ['left out'] }]
    expect(written(withOwn(edit, '/dependencies', parents))).toMatchObject([
      { action: 'deleteDependency', payload: { feature: 'payments' } },
      { action: 'addDependency', payload: { feature: 'billing', enabled: false } },
    ])
    expect(written(withOwn(edit, '/dependencies', parents))[1]).not.toHaveProperty('payload.variants')
  })
})

describe('a flag that another user edits meanwhile', () => {
  const rolled = withOwn(edit, '/strategies/s1/parameters/rollout', '75')
  const now = readOf({ ...state, enabled: false, strategies: [strategy('s1', '50')] })

  it('follows, and keeps what both edited as a conflict until it is chosen', () => {
    const { edit: followed, conflicts } = follow(rolled, now)
    const path = '/strategies/s1/parameters/rollout'
    expect(followed.own).toMatchObject({ enabled: false, strategies: [{ id: 's1', parameters: { rollout: '75' } }] })
    expect(conflicts).toEqual([{ path, before: '10', now: '50', own: '75', isOwn: true }])
    // Also after a further key, and after the edit was kept and read.
    const typed = JSON.parse(JSON.stringify(withOwn(followed, path, '76')))
    expect(follow(typed, now).conflicts).toMatchObject([{ path, before: '10', now: '50', own: '76' }])
    expect(written(choose(followed, path, 'now'))).toEqual([])
    const own = choose(followed, path, 'own')
    expect(follow(own, now).conflicts).toEqual([])
    expect(written(own)).toMatchObject([{ payload: { id: 's1' }, expected: now.targets.s1 }])
  })

  it('sends nothing that the other user did as well', () => {
    const { edit: followed, conflicts } = follow(withOwn(edit, '/enabled', false), now)
    expect([conflicts, written(followed)]).toEqual([[], []])
  })

  it('adds a strategy again that the other user deleted, if that is chosen', () => {
    const { edit: followed, conflicts } = follow(rolled, readOf({ ...state, strategies: [] }))
    expect(conflicts.map(({ path }) => path)).toEqual(['/strategies/s1'])
    const kept = choose(followed, '/strategies/s1', 'own')
    expect(written(kept)).toMatchObject([{ action: 'addStrategy', payload: { parameters: { rollout: '75' } } }])
    expect(idsOf(choose(followed, '/strategies/s1', 'now'))).toEqual([])
  })
})

it('writes and follows the edit of one of 60 strategies, and nothing else', () => {
  const strategies = Array.from({ length: 60 }, (_, index) =>
    strategy(`s${index}`, '10', {
      ...{ sortOrder: index, segments: [1, 2], variants: [{ name: 'a', weight: 1000 }] },
      constraints: [{ contextName: 'country', operator: 'IN', values: Array.from({ length: 50 }, String) }],
    }),
  )
  const rolled = withOwn(beginEdit(readOf({ ...state, strategies })), '/strategies/s30/parameters/rollout', '75')
  const now = readOf({ ...state, strategies: strategies.map((one) => ({ ...one, title: 'Edited' })) })
  const rounds = 50
  const start = performance.now()
  const all = Array.from({ length: rounds }, () => written(follow(rolled, now).edit))
  const duration = (performance.now() - start) / rounds
  expect(all.at(-1)).toMatchObject([{ payload: { id: 's30', parameters: { rollout: '75' } } }])
  process.stdout.write(`60 strategies: followed and written in ${duration.toFixed(1)} ms\n`)
})
