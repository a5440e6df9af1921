import type { Action } from '../../generated/index'
import type { JsonValue } from '../change-request'
import { parentOf } from './after'

/** What is known of a change that was applied. */
export interface Past {
  /** The target before. */
  readonly snapshot?: JsonValue
  /** The id of what it added. */
  readonly created?: string
  /** The strategies that it activated. */
  readonly activated?: readonly string[]
}

/** A change that takes another one back; it is about the same flag or segment. */
export interface Inverse {
  readonly action: Action
  readonly payload: JsonValue
}

interface Properties {
  readonly [property: string]: unknown
}

/** Each returns what takes a change back; undefined where that is not known. */

export function updateEnabled({ enabled }: Properties, { snapshot, activated = [] }: Past): Inverse[] | undefined {
  const before = partOf(snapshot)
  if (before === undefined || before.enabled === enabled) return before && []
  return [
    change('updateEnabled', { enabled: before.enabled }),
    ...activated.map((id) => change('updateStrategy', { id, disabled: true })),
  ]
}

export function addStrategy(_payload: object, { created }: Past): Inverse[] | undefined {
  return created === undefined ? undefined : [change('deleteStrategy', { id: created })]
}

const ofStrategies = ['title', 'disabled', 'sortOrder', 'constraints', 'parameters', 'segments', 'variants'] as const
const ofSegments = ['name', 'description', 'project', 'constraints'] as const

export function updateStrategy(payload: Properties, { snapshot }: Past): Inverse[] | undefined {
  return restored('updateStrategy', payload, snapshot, ofStrategies)
}

export function updateMilestoneStrategy(payload: Properties, { snapshot }: Past): Inverse[] | undefined {
  return restored('updateMilestoneStrategy', payload, snapshot, ofStrategies)
}

export function updateSegment(payload: Properties, { snapshot }: Past): Inverse[] | undefined {
  // A segment is always sent with its name and constraints.
  return restored('updateSegment', { name: '', constraints: [], ...payload }, snapshot, ofSegments)
}

/** The values that its target had in the fields that it set. One that the gateway does not say cannot be restored. */
function restored(
  action: Action,
  payload: Properties,
  snapshot: JsonValue | undefined,
  fields: readonly string[],
): Inverse[] | undefined {
  const before = partOf(snapshot)
  const set = fields.filter((name) => payload[name] !== undefined)
  if (before === undefined || set.some((name) => before[name] === undefined)) return undefined
  return [change(action, { id: payload.id, ...picked(before, set) })]
}

function picked(properties: Properties, names: readonly string[]): Properties {
  const present = names.filter((name) => properties[name] !== undefined)
  return Object.fromEntries(present.map((name) => [name, properties[name]]))
}

export function deleteStrategy(_payload: object, { snapshot }: Past): Inverse[] | undefined {
  const before = partOf(snapshot)
  if (before === undefined) return undefined
  return [change('addStrategy', { constraints: [], parameters: {}, ...picked(before, ['name', ...ofStrategies]) })]
}

export function patchVariant(_payload: object, { snapshot }: Past): Inverse[] | undefined {
  const before = partOf(snapshot)
  return before && [change('patchVariant', { variants: before.variants })]
}

export function reorderStrategy(
  payload: readonly { readonly id: string }[],
  { snapshot }: Past,
): Inverse[] | undefined {
  const before = partOf(snapshot)
  const named = new Set(payload.map(({ id }) => id))
  return before && [{ action: 'reorderStrategy', payload: listOf(before.order).filter((one) => named.has(idOf(one))) }]
}

export function addDependency(payload: Properties, { snapshot }: Past): Inverse[] | undefined {
  const before = partOf(snapshot)
  if (before === undefined) return undefined
  const earlier = listOf(before.dependencies).filter((one) => parentOf(one) === payload.feature)
  return earlier.length > 0 ? earlier.map(addParent) : [change('deleteDependency', { feature: payload.feature })]
}

export function deleteDependency(payload: Properties, { snapshot }: Past): Inverse[] | undefined {
  const before = partOf(snapshot)
  const gone = (one: JsonValue) => payload.feature === undefined || payload.feature === parentOf(one)
  return before && listOf(before.dependencies).filter(gone).map(addParent)
}

export function addReleasePlan(_payload: object, { created }: Past): Inverse[] | undefined {
  return created === undefined ? undefined : [change('deleteReleasePlan', { planId: created })]
}

function addParent(dependency: JsonValue): Inverse {
  return { action: 'addDependency', payload: dependency }
}

function change(action: Action, payload: Properties): Inverse {
  return { action, payload: payload as JsonValue }
}

function partOf(snapshot: JsonValue | undefined): Properties | undefined {
  return typeof snapshot === 'object' && snapshot !== null ? (snapshot as unknown as Properties) : undefined
}

function listOf(value: unknown): JsonValue[] {
  return Array.isArray(value) ? value : []
}

function idOf(value: JsonValue): string {
  return (value as { readonly id: string }).id
}
