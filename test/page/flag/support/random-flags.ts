import fc from 'fast-check'
import { targetsOfFlag } from '../../../../src/capabilities/authoring/flags'
import { listActions } from '../../../../src/capabilities/authoring/routes'
import type { NewChange } from '../../../../src/domain/change-request'
import { isSame as isSameValue, ofPart } from '../../../../src/domain/diff/canonical'
import { alter, alterable } from '../../../../src/domain/diff/state-after'
import type { FeatureState } from '../../../../src/domain/flag-state'
import { inApplyOrder } from '../../../../src/domain/flags/apply-order'
import type { SubmittedChange } from '../../../../src/generated'
import type { Offered } from '../../../../src/page/app/screens/authoring/model/payload'
import {
  beginEdit,
  type FlagEdit,
  newId,
  type ReadState,
  withOwn,
} from '../../../../src/page/app/screens/flag/model/edit'
import { withoutVariant, withVariant, withWeight } from '../../../../src/page/app/screens/flag/model/weights'
import { type JsonObject, listOf, objectOf } from '../../../../src/page/app/words/json'

export const offered = listActions({ actions: undefined, actionSchemas: new Map() }, 'url') as readonly Offered[]
export const feature = 'checkout'

const flagsWith = (state: JsonObject) => ({
  features: new Map([[feature, state as unknown as FeatureState]]),
  segments: new Map(),
})

/** As the router returns it. */
export function readOf(state: JsonObject): ReadState {
  return { state, targets: targetsOfFlag(feature, flagsWith(state)) }
}

/** The flag after the changes, applied in the order of the domain, without the sort orders that state the order of strategies. */
export function applied(state: JsonObject, changes: readonly SubmittedChange[]): JsonObject {
  const flags = alterable(flagsWith(state))
  const numbered = changes.map((one, index) => ({ payload: {}, ...one, id: index + 1 }) as NewChange & { id: number })
  for (const change of inApplyOrder(numbered, new Map())) alter(flags, change)
  return flags.features.get(feature) as unknown as JsonObject
}

/** The state in the order of its strategies, without the ids that only a store assigns. */
export function shownOf(state: JsonObject): JsonObject {
  const { own } = beginEdit({ state, targets: {} })
  if (own.strategies === undefined) return own
  const isAdded = ({ id }: JsonObject) => /^new|^added /.test(String(id))
  const strategies = listOf(own.strategies)
    .map(objectOf)
    .map((one) => (isAdded(one) ? { constraints: [], parameters: {}, ...one, id: 'added' } : one))
  return { ...own, strategies: strategies.map((one) => ({ disabled: false, ...one })) }
}

/** Equal by meaning, with the strategies by their positions: added ones have no ids yet. */
export function isSame(one: JsonObject, other: JsonObject): boolean {
  const positioned = (state: JsonObject) => {
    const { strategies, ...others } = shownOf(state)
    return [{ ...others }, ...listOf(strategies)] as never
  }
  const [left, right] = [positioned(one), positioned(other)] as unknown as [JsonObject[], JsonObject[]]
  return (
    left.length === right.length && left.every((part, at) => isSameValue(part as never, right[at] as never, ofPart))
  )
}

const name = fc.constantFrom('a', 'b', 'c', 'd/e', '1')
const title = fc.constantFrom(undefined, null, '', 'Half', 'Beta')
const rollout = fc.integer({ min: 0, max: 100 }).map(String)
const constraint = fc.record(
  {
    contextName: name,
    operator: fc.constantFrom('IN', 'NOT_IN'),
    values: fc.array(name, { maxLength: 3 }),
    inverted: fc.boolean(),
  },
  { requiredKeys: ['contextName', 'operator'] },
)
const constraints = fc.array(constraint, { maxLength: 2 })
const segments = fc.uniqueArray(fc.nat(5), { maxLength: 2 })
const weights = fc.array(fc.constantFrom('fix', 'variable'), { maxLength: 3 }).map((types) =>
  types.map((weightType, index) => ({
    ...{ name: `v${index}`, weightType, stickiness: 'default' },
    weight: index === 0 ? 1000 - 200 * (types.length - 1) : 200,
  })),
)
const parameters = fc.record({ rollout, stickiness: name }, { requiredKeys: ['rollout'] })

const strategyProperties = {
  title,
  disabled: fc.boolean(),
  constraints,
  segments,
  variants: weights,
  parameters,
} as const
const strategy = fc.record(
  { name: fc.constantFrom('flexibleRollout', 'default', 'own'), ...strategyProperties, kept: fc.nat(9) },
  { requiredKeys: ['name', 'disabled', 'constraints', 'parameters'] },
)

/** None, positions, wide gaps, the same for all, or any. */
const sortOrders = fc.oneof(
  fc.constant(() => undefined),
  fc.constant((index: number) => index),
  fc.constant((index: number) => index * 10 + 5),
  fc.constant(() => 9999),
  fc.func(fc.nat(20)).map((place) => (index: number) => place(index)),
)
const strategies = fc.tuple(fc.array(strategy, { maxLength: 5 }), sortOrders).map(([list, placeOf]) =>
  list.map((one, index) => {
    const sortOrder = placeOf(index)
    return { id: `s${index}`, ...one, ...(sortOrder !== undefined && { sortOrder }) }
  }),
)
const dependency = fc
  .record(
    { feature: name, enabled: fc.boolean(), variants: fc.uniqueArray(name, { maxLength: 2 }) },
    { requiredKeys: ['feature'] },
  )
  // One that must be off has no variants.
  .map(({ variants, ...one }) => ({ ...one, ...(one.enabled !== false && variants && { variants }) }))
const dependencies = fc.uniqueArray(dependency, { selector: (one) => one.feature, maxLength: 3 })

export const flagState: fc.Arbitrary<JsonObject> = fc.record(
  { archived: fc.constant(false), enabled: fc.boolean(), strategies, variants: weights, dependencies },
  { requiredKeys: ['archived', 'enabled', 'strategies'] },
)

/** One thing that a user does on the screen; it does nothing where it is not possible. */
export type UserEdit = (edit: FlagEdit) => FlagEdit

const place = fc.nat(9)

const atStrategy = (work: (one: JsonObject, edit: FlagEdit) => FlagEdit, index: number) => (edit: FlagEdit) => {
  const list = listOf(edit.own.strategies).map(objectOf)
  const found = list[index % list.length]
  return found === undefined ? edit : work(found, edit)
}

const withStrategies = (edit: FlagEdit, change: (list: JsonObject[]) => JsonObject[]): FlagEdit =>
  withOwn(edit, '/strategies', change(listOf(edit.own.strategies).map(objectOf)))

const insertedAt = (list: readonly JsonObject[], index: number, one: JsonObject) =>
  list.toSpliced(index % (list.length + 1), 0, one)

const setProperty = fc
  .tuple(
    place,
    fc.oneof(...Object.entries(strategyProperties).map(([key, value]) => fc.tuple(fc.constant(key), value))),
  )
  .map(([index, [key, value]]) =>
    atStrategy((one, edit) => withOwn(edit, `/strategies/${one.id}/${key}`, value), index),
  )
const setRollout = fc
  .tuple(place, rollout)
  .map(([index, to]) => atStrategy((one, edit) => withOwn(edit, `/strategies/${one.id}/parameters/rollout`, to), index))
const addStrategy = fc.tuple(place, strategy).map(
  ([index, one]) =>
    (edit: FlagEdit) =>
      withStrategies(edit, (list) => insertedAt(list, index, { ...one, id: newId(edit) })),
)
const deleteStrategy = place.map((index) =>
  atStrategy((one, edit) => withOwn(edit, `/strategies/${one.id}`, undefined), index),
)
const moveStrategy = fc.tuple(place, place).map(([from, to]) =>
  atStrategy(
    (one, edit) =>
      withStrategies(edit, (list) =>
        insertedAt(
          list.filter((other) => other.id !== one.id),
          to,
          one,
        ),
      ),
    from,
  ),
)

const ofVariants = (change: (list: readonly JsonObject[]) => readonly JsonObject[]) => (edit: FlagEdit) =>
  edit.own.variants === undefined ? edit : withOwn(edit, '/variants', change(listOf(edit.own.variants).map(objectOf)))
const freeName = (list: readonly JsonObject[]): string => {
  const numbers = list.map((one) => Number(String(one.name).slice(1)))
  return `v${Math.max(9, ...numbers) + 1}`
}
const editVariants = fc.oneof(
  fc
    .tuple(place, fc.nat(1000))
    .map(([index, weight]) =>
      ofVariants((list) => (list.length === 0 ? list : withWeight(list, index % list.length, weight))),
    ),
  fc.constant(ofVariants((list) => withVariant(list, { name: freeName(list) }))),
  place.map((index) => ofVariants((list) => (list.length === 0 ? list : withoutVariant(list, index % list.length)))),
  fc
    .tuple(place, name)
    .map(([index, value]) =>
      ofVariants((list) =>
        list.map((one, at) => (at === index % list.length ? { ...one, payload: { type: 'string', value } } : one)),
      ),
    ),
  fc.constant(ofVariants((list) => [...list].reverse())),
)

const ofParents = (change: (list: readonly JsonObject[]) => readonly JsonObject[]) => (edit: FlagEdit) =>
  edit.own.dependencies === undefined
    ? edit
    : withOwn(edit, '/dependencies', change(listOf(edit.own.dependencies).map(objectOf)))
const editParents = fc.oneof(
  dependency.map((one) => ofParents((list) => [...list.filter((other) => other.feature !== one.feature), one])),
  place.map((index) => ofParents((list) => list.filter((_, at) => at !== index % list.length))),
)

const switchFlag = fc.tuple(fc.boolean(), fc.boolean()).map(([enabled, activates]) => (edit: FlagEdit) => ({
  ...withOwn(edit, '/enabled', enabled),
  activates,
}))
const archive = fc.constant((edit: FlagEdit) => withOwn(edit, '/archived', true))

export const userEdits: fc.Arbitrary<readonly UserEdit[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: setProperty },
    { weight: 2, arbitrary: setRollout },
    { weight: 2, arbitrary: addStrategy },
    { weight: 2, arbitrary: deleteStrategy },
    { weight: 2, arbitrary: moveStrategy },
    { weight: 3, arbitrary: editVariants },
    { weight: 2, arbitrary: editParents },
    { weight: 2, arbitrary: switchFlag },
    { weight: 1, arbitrary: archive },
  ) as fc.Arbitrary<UserEdit>,
  { maxLength: 6 },
)

export const editedBy = (edit: FlagEdit, edits: readonly UserEdit[]): FlagEdit =>
  edits.reduce((current, one) => one(current), edit)
