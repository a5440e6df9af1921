import type { Action } from '../../generated/index'
import type { JsonValue, NewChange } from '../change-request'
import type { FlagState } from '../flag-state'
import { segmentId } from '../segment-id'
import type { ActionDefinition, ActionTable, TargetPart } from './action'
import { dependencyActions } from './dependencies'
import { releasePlanActions } from './release-plans'
import { safeguardActions } from './safeguards'
import { segmentActions } from './segments'
import { strategyActions } from './strategies'
import { switchActions } from './switch'
import { variantActions } from './variants'

/** All actions. A new one does not compile until a family has its row. */
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

/** The row of the action for a change whose payload has passed the schema of that action. */
export function definitionOf({ action }: Pick<NewChange, 'action'>): ActionDefinition<JsonValue, unknown> {
  return table[action] as unknown as ActionDefinition<JsonValue, unknown>
}

/** The value of a column for the flag or segment of a change; undefined for a flag that does not exist. */
export function askOfSubject<Answer>(
  column: (payload: JsonValue, subject: unknown) => Answer,
  change: NewChange,
  { features, segments }: FlagState,
): Answer | undefined {
  const { feature: name, payload } = change
  if (name === null) return column(payload, segments.get(segmentId(change)))
  const feature = features.get(name)
  return feature && column(payload, feature)
}

/**
 * The part of the target of a change that its action can alter, as it is now: one rule for bases, diffs, overwrites and
 * what a schedule was approved on.
 */
export function targetPart(change: NewChange, state: FlagState): TargetPart {
  const isGone = change.feature !== null && !state.features.has(change.feature)
  return isGone ? null : askOfSubject(definitionOf(change).targetPart, change, state)
}
