import type { SubmittedChange } from '../../../../../generated'
import { isObject, type Json, type JsonObject, listOf, objectOf, textIn } from '../../../words/json'
import { isEqual } from '../../authoring/model/merge'
import { changedOnly, currentPayload, type Offered, payloadSchema, targetOf } from '../../authoring/model/payload'
import { toSent } from '../../authoring/model/schema'
import { canEdit, type FlagEdit } from './edit'

interface Written {
  readonly action: string
  readonly payload?: Json
}

/** What was edited, and nothing else, in an order that applies; each with `expected` where its target has a digest. */
export function changesOf(edit: FlagEdit, offered: readonly Offered[], feature: string): readonly SubmittedChange[] {
  const { others = [], targets } = edit
  const isOn = edit.own.enabled === true
  const written: readonly Written[] = [
    ...(isOn ? [] : switched(edit)),
    ...strategyChanges(edit, canEdit(offered, 'addStrategy', 'sortOrder')),
    ...variantChanges(edit),
    ...dependencyChanges(edit),
    ...(others as readonly Written[]),
    ...(isOn ? switched(edit) : []),
    ...(edit.own.archived === true && edit.base.archived !== true ? [{ action: 'archiveFeature' }] : []),
  ]
  return written.map(({ action, payload }) => {
    const found = offered.find((one) => one.action === action)
    const typed = typedPayload(payload, found)
    // A form of the schema begins with all that its target has.
    const sent = found ? changedOnly(found, currentPayload(found, edit.base, textIn(typed, 'id')), typed) : typed
    const expected = targets[targetOf(action, sent) ?? '']
    return {
      ...{ action, feature },
      ...(sent !== undefined && { payload: sent }),
      ...(expected !== undefined && { expected }),
    } as SubmittedChange
  })
}

/** The payload as it is sent: a form holds numbers as text, and JSON is a text. */
export function typedPayload(payload: Json, offered: Offered | undefined): Json {
  const schema = typeof payload === 'string' ? {} : ((offered && payloadSchema(offered)) ?? {})
  return payload === undefined ? undefined : toSent(schema, payload)
}

/** The strategies that switching the flag on would activate, if the user wants that: all are disabled, and were before. */
export function activatable({ base, own }: FlagEdit): readonly JsonObject[] {
  const strategies = listOf(own.strategies).map(objectOf)
  const wasDisabled = isIn({ strategies: listOf(base.strategies).filter((one) => objectOf(one).disabled === true) })
  const isSwitched = own.enabled === true && base.enabled === false
  return isSwitched && strategies.every((one) => one.disabled === true && wasDisabled(one)) ? strategies : []
}

/** Whether a state has the strategy. */
function isIn({ strategies }: JsonObject): (strategy: JsonObject) => boolean {
  const ids = new Set(listOf(strategies).map((one) => textIn(one, 'id')))
  return ({ id }) => ids.has(String(id))
}

function switched(edit: FlagEdit): readonly Written[] {
  const { enabled } = edit.own
  if (enabled === edit.base.enabled) return []
  const activates = edit.activates === true && activatable(edit).length > 0
  return [
    { action: 'updateEnabled', payload: { enabled, ...(activates && { shouldActivateDisabledStrategies: true }) } },
  ]
}

function strategyChanges({ base, own }: FlagEdit, isPlaced: boolean): readonly Written[] {
  const before = listOf(base.strategies).map(objectOf)
  const after = listOf(own.strategies).map(objectOf)
  const existing = after.filter(isIn(base))
  const left = before.filter(isIn(own))
  const { sortOrders, isReordered } = placesOf(left, after)
  return [
    ...before.filter((one) => !left.includes(one)).map(({ id }) => ({ action: 'deleteStrategy', payload: { id } })),
    ...existing.flatMap((one) => updated(left.find(({ id }) => id === one.id) ?? {}, one)),
    ...after
      .filter((one) => !existing.includes(one))
      .map(({ id, sortOrder: _, ...one }) => ({
        action: 'addStrategy',
        payload: {
          constraints: [],
          parameters: {},
          ...one,
          ...(isPlaced && { sortOrder: sortOrders.get(String(id)) }),
        },
      })),
    ...(isReordered
      ? [
          {
            action: 'reorderStrategy',
            payload: existing.map(({ id }) => ({ id, sortOrder: sortOrders.get(String(id)) })),
          },
        ]
      : []),
  ]
}

/** The properties that are not as they were; one that was removed is sent as empty. */
function updated(before: JsonObject, after: JsonObject): readonly Written[] {
  const { sortOrder: _, ...compared } = { ...before, ...after }
  const changed = Object.keys(compared).filter(
    (name) => before[name] !== after[name] && !isEqual({ [name]: before[name] }, { [name]: after[name] }),
  )
  if (changed.length === 0) return []
  const values = changed.map((name) => [name, after[name] ?? emptyLike(before[name])])
  return [{ action: 'updateStrategy', payload: { id: after.id, ...Object.fromEntries(values) } }]
}

function emptyLike(value: Json): Json {
  if (Array.isArray(value)) return []
  if (isObject(value)) return {}
  return typeof value === 'boolean' ? false : null
}

interface Places {
  readonly sortOrders: ReadonlyMap<string, number>
  readonly isReordered: boolean
}

/**
 * The sort orders that give the strategies their order. Existing ones keep theirs, and new ones get numbers in between, unless
 * the existing ones change places among themselves, or leave no room.
 */
function placesOf(existing: readonly JsonObject[], after: readonly JsonObject[]): Places {
  const known = new Map(
    existing.map(({ id, sortOrder }, index) => [String(id), typeof sortOrder === 'number' ? sortOrder : index]),
  )
  const order = [...known.keys()].sort((one, other) => (known.get(one) ?? 0) - (known.get(other) ?? 0))
  const ids = after.map(({ id }) => String(id))
  const isKept = ids.filter((id) => known.has(id)).every((id, index) => id === order[index])
  const sortOrders = isKept ? inGaps(ids, known) : undefined
  return {
    sortOrders: sortOrders ?? new Map(ids.map((id, index) => [id, index])),
    isReordered: sortOrders === undefined,
  }
}

/** Whole numbers where there is room for them; undefined where there is none at all. */
function inGaps(ids: readonly string[], known: ReadonlyMap<string, number>): ReadonlyMap<string, number> | undefined {
  const places = new Map<string, number>()
  let low: number | undefined
  let added: string[] = []
  const fill = (high: number | undefined): boolean => {
    const from = low ?? (high === undefined ? -1 : high - added.length - 1)
    const to = high ?? from + added.length + 1
    const step = to - from > added.length ? 1 : (to - from) / (added.length + 1)
    for (const [index, id] of added.entries()) places.set(id, from + step * (index + 1))
    return added.length === 0 || step > 0
  }
  for (const id of ids) {
    const place = known.get(id)
    if (place === undefined) {
      added.push(id)
      continue
    }
    if (!fill(place)) return undefined
    places.set(id, place)
    low = place
    added = []
  }
  fill(undefined)
  return places
}

function variantChanges({ base, own }: FlagEdit): readonly Written[] {
  const { variants = [] } = own
  return isEqual({ variants: base.variants }, { variants }) ? [] : [{ action: 'patchVariant', payload: { variants } }]
}

function dependencyChanges({ base, own }: FlagEdit): readonly Written[] {
  const [before, after] = [base, own].map(
    ({ dependencies }) =>
      new Map(
        listOf(dependencies)
          .map(objectOf)
          .map((one) => [one.feature, one]),
      ),
  )
  const removed = [...(before?.keys() ?? [])].filter((parent) => !after?.has(parent))
  const set = [...(after?.values() ?? [])].filter((one) => {
    return !isEqual({ dependencies: [before?.get(one.feature)] }, { dependencies: [one] })
  })
  return [
    ...removed.map((feature) => ({ action: 'deleteDependency', payload: { feature } })),
    ...set.map(({ variants, ...one }) => ({
      action: 'addDependency',
      payload: { ...one, ...(one.enabled !== false && variants !== undefined && { variants }) },
    })),
  ]
}
