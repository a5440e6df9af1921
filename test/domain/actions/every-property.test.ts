import type { Action, FlagState } from '../../../src'
import { allActions, definitionOf, targetPart, unseenIn } from '../../../src/domain/actions/table'
import type { Change, ChangeRequest, JsonValue, NewChange } from '../../../src/domain/change-request'
import { canonical, isSame } from '../../../src/domain/diff/canonical'
import { diffOf } from '../../../src/domain/diff/diff'
import { revertOf } from '../../../src/domain/diff/revert'
import { withSnapshots, withTraces } from '../../../src/domain/diff/snapshots'
import { inApplyOrder } from '../../../src/domain/flags/apply-order'
import { baseOf } from '../../../src/domain/flags/base'
import { findDefaultChanges } from '../../../src/domain/flags/default-changes'
import { digestOf, hashOf } from '../../../src/kernel/digest'
import { createdBy } from '../../../src/kernel/step/flag-events'
import { sampleChangeRequest } from '../../../src/testing/samples'
import { keepingStore } from '../support/every-property/keeping-store'
import { payloadsOf } from '../support/every-property/payloads'

/** Edits that change nothing in a store, by action and property, each with a reason. */
const exceptions: readonly (readonly [edits: RegExp, reason: string])[] = [
  [/ (.*\/)?(segments|constraints|constraints\/0\/values): reorder$/, 'the order does not count'],
  [/^reorderStrategy : reorder$/, 'the sort orders state the order'],
  [/^addDependency enabled: remove$/, 'the default is what the full payload has'],
]

const reversible: ReadonlySet<Action> = new Set([
  'updateEnabled',
  'addStrategy',
  'updateStrategy',
  'deleteStrategy',
  'reorderStrategy',
  'patchVariant',
  'addDependency',
  'deleteDependency',
  'addReleasePlan',
  'updateMilestoneStrategy',
  'updateSegment',
])

type Store = ReturnType<typeof keepingStore>

/** Whether it is applied to the result of an earlier change of the same action; a switch also without one. */
const repeats = (action: Action): readonly boolean[] =>
  action === 'updateEnabled'
    ? [true, false]
    : [!/^(delete|archive|addStrategy|addReleasePlan|startMilestone)/.test(action)]

function requestOf(change: NewChange, state: FlagState): ChangeRequest {
  const sample = sampleChangeRequest({ id: 1, state: 'Approved' })
  return {
    ...sample,
    changes: [{ ...(sample.changes[0] as Change), id: 1, ...change, ...baseOf(change, state, hashOf) }],
  }
}

/** Applies it, as the router does: what it stores, and the flags before. */
async function applied(store: Store, changes: readonly NewChange[]): Promise<ChangeRequest> {
  const before = await store.current()
  const sample = sampleChangeRequest({ id: 1, state: 'Applied' })
  const all = changes.map((change, index) => ({ ...(sample.changes[0] as Change), ...change, id: index + 1 }))
  const current = { ...sample, changes: all }
  const events = await store.apply(inApplyOrder(all, findDefaultChanges(current, before)))
  return withTraces(withSnapshots(current, before), before, createdBy(events))
}

/** Whether the store changed. Asserts that all of it was shown, and is reverted or irreversible. */
async function check(store: Store, change: NewChange): Promise<boolean> {
  const [state, before] = [await store.current(), await store.contents()]
  const [diff] = diffOf(requestOf(change, state), state)
  const { added } = definitionOf(change)
  const current = await applied(store, [change])
  const isChanged = !isSame(before, await store.contents())
  const implied = current.defaultChanges ?? []
  const sent = Object.keys(unseenIn(change))

  if (isChanged && implied.length === 0) expect(diff?.fields).not.toEqual([])
  if (!isChanged && sent.length === 0) expect(diff?.fields).toEqual([])
  if (added === undefined && diff?.after && change.action !== 'startMilestone') {
    const seen = Object.entries(diff.after).filter(([name]) => !sent.includes(name))
    const part = (targetPart(change, await store.current()) ?? {}) as { [name: string]: JsonValue }
    const found = seen.map(([name, shown]) => [name, name === 'strategies' ? among(shown, part[name]) : part[name]])
    expect(canonical(Object.fromEntries(seen))).toEqual(canonical(Object.fromEntries(found)))
  }
  const { changes, irreversible } = revertOf(current, () => true)
  if (irreversible.length > 0) {
    const hasLost = sent.length > 0 || !isRestorable(change, state)
    expect([change.action, reversible.has(change.action) && !hasLost]).toEqual([change.action, false])
  } else {
    await applied(store, changes)
    expect(canonical(await store.contents())).toEqual(canonical(before))
  }
  return isChanged
}

/** The diff shows only the strategies that the change activates. */
function among(shown: JsonValue, all: JsonValue | undefined): JsonValue {
  const ids = (shown as unknown as { id: string }[]).map(({ id }) => id)
  return (all as unknown as { id: string }[]).filter(({ id }) => ids.includes(id)) as unknown as JsonValue
}

/** False if the change sets a property that was absent: an update cannot remove it. */
function isRestorable(change: NewChange, state: FlagState): boolean {
  const part = targetPart(change, state) ?? {}
  return Object.keys(change.payload as object).every((name) => name in part || !change.action.startsWith('update'))
}

const strategy = (id: string, sortOrder: number, disabled: boolean) => ({
  ...{ id, name: 'default', disabled, sortOrder, title: null },
  ...{ constraints: [], parameters: {}, segments: [], variants: [] },
})

const openStore = (action: Action) =>
  keepingStore({
    strategies: ['s1', 's2'].map((id, index) => strategy(id, index, action === 'updateEnabled')),
    variants: [],
    segments: {
      4: { name: 'beta', description: null, project: 'shop', constraints: [] },
      5: { name: 'alpha', description: null, project: 'shop', constraints: [] },
    },
  })

const namesFor = (action: Action) => ({
  id: action.endsWith('Segment') ? [4, 5] : ['s1', 's2'],
  'segments/': [4, 5],
  planId: ['p1', 'p2'],
  milestoneId: ['m1', 'm2'],
  sourceMilestone: ['m1', 'm2'],
})

/**
 * A test for each property of the payload of each action, from the schemas: what an edit of it changes in the store is in the
 * diff and in the digest, and is reverted or named irreversible.
 */
describe('everything that an apply changes in a store that keeps unknown properties is in the diff, bound by the digest and reverted', () => {
  it.each(allActions)('%s', async (action) => {
    const store = openStore(action)
    const feature = action.endsWith('Segment') ? null : 'checkout'
    const toChange = (payload: JsonValue): NewChange => ({ action, feature, payload })
    const { full, variants } = payloadsOf(action, namesFor(action))
    const effective = new Set<string>()
    let isFullEffective = false
    await store.reset(async () => {
      isFullEffective = await check(store, toChange(full))
    })
    expect(isFullEffective).toBe(true)
    const digest = async (payload: JsonValue) => digestOf(requestOf(toChange(payload), await store.current()))
    const cases = repeats(action).flatMap((isRepeated) =>
      variants.flatMap(({ edit, payload }) => [
        { edit, isRepeated, earlier: full, payload },
        // Without an earlier change, the full payload is always the same.
        ...(isRepeated ? [{ edit, isRepeated, earlier: payload, payload: full }] : []),
      ]),
    )
    for (const { edit, isRepeated, earlier, payload } of cases) {
      expect(await digest(earlier)).not.toBe(await digest(payload))
      await store.reset(async () => {
        if (isRepeated) await applied(store, [toChange(earlier)])
        try {
          if (await check(store, toChange(payload))) effective.add(edit)
        } catch (error) {
          throw new Error(`${action} ${edit}, ${JSON.stringify(payload)}: ${(error as Error).message}`)
        }
      })
    }
    const without = variants.map(({ edit }) => edit).filter((edit) => !effective.has(edit))
    const isExpected = (edit: string) => exceptions.some(([edits]) => edits.test(`${action} ${edit}`))
    expect(without.filter((edit) => !isExpected(edit))).toEqual([])
  })
})
