import type { Action } from '../../generated/index'
import type { JsonValue, NewChange } from '../change-request'
import type { FlagState } from '../flag-state'
import { segmentId } from '../segment-id'
import type { ActionDefinition, ActionTable, TargetPart } from './action'
import { dependencyActions } from './dependencies'
import { releasePlanActions } from './release-plans'
import { safeguardActions } from './safeguards'
import { segmentActions } from './segments'
import { none, type Properties } from './shared'
import { strategyActions } from './strategies'
import { switchActions } from './switch'
import { variantActions } from './variants'

/** All actions. A new action does not compile until it has a row. */
const table: ActionTable = {
  ...segmentActions,
  ...switchActions,
  ...strategyActions,
  ...variantActions,
  ...dependencyActions,
  ...releasePlanActions,
  ...safeguardActions,
}

/** Every action, in the order in which messages list them. */
export const allActions: readonly Action[] = Object.keys(table) as Action[]

/** The row of the action of a change. The payload must be valid for the schema of that action. */
export function definitionOf({ action }: Pick<NewChange, 'action'>): ActionDefinition<JsonValue, unknown> {
  return table[action] as unknown as ActionDefinition<JsonValue, unknown>
}

/** Calls a function of the table with the flag or segment of a change; undefined for a flag that does not exist. */
export function withSubject<Answer>(
  column: (payload: JsonValue, subject: unknown) => Answer,
  change: NewChange,
  { features, segments }: FlagState,
): Answer | undefined {
  const { feature: name, payload } = change
  if (name === null) return column(payload, segments.get(segmentId(change)))
  const feature = features.get(name)
  return feature && column(payload, feature)
}

/** What the change sets of its target that the gateway does not return. */
export function unseenIn(change: NewChange): Properties {
  const { unseen, targetPart } = definitionOf(change)
  const payload = change.payload as unknown as Properties
  return unseen?.(change.payload) ?? (targetPart === none ? payload : {})
}

/**
 * The current part of the target that the action of a change can alter, for bases, diffs, overwrites and the targets of
 * schedules.
 */
export function targetPart(change: NewChange, state: FlagState): TargetPart {
  const isGone = change.feature !== null && !state.features.has(change.feature)
  return isGone ? null : withSubject(definitionOf(change).targetPart, change, state)
}
