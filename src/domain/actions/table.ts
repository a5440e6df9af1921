import type { Action } from '../../generated'
import type { JsonValue, NewChange } from '../change-request'
import type { FeatureState, FlagState, SegmentState } from '../flag-state'
import type { ActionDefinition, ActionTable, ChangeNames, ChangeScope, KnownPart, TargetPart } from './action'
import { dependencyActions } from './dependencies'
import { releasePlanActions } from './release-plans'
import {
  copyOf,
  inEnvironment,
  inProject,
  mergedProperties,
  missingPlan,
  none,
  type Properties,
  restored,
  same,
} from './shared'
import { strategyActions } from './strategies'
import { switchActions, variantActions } from './switch'

const ofEnvironment = {
  target: 'safeguard',
  ...inEnvironment,
  targetPart: none,
  withPart: (_payload: unknown, _part: unknown, feature: FeatureState) => feature,
  after: same,
} as const

/** The gateway returns no safeguards, so only the release plan that they belong to can be checked. */
const ofReleasePlan = { ...ofEnvironment, conflict: missingPlan } as const

const changing = {
  phrase: (_payload: unknown, { subject }: ChangeNames) => `Changing a safeguard of ${subject}`,
} as const
const deleting = {
  phrase: (_payload: unknown, { subject }: ChangeNames) => `Deleting a safeguard of ${subject}`,
} as const

const safeguardActions = {
  changeReleasePlanSafeguard: { ...ofReleasePlan, ...changing },
  deleteReleasePlanSafeguard: { ...ofReleasePlan, ...deleting },
  changeFeatureEnvSafeguard: { ...ofEnvironment, ...changing },
  deleteFeatureEnvSafeguard: { ...ofEnvironment, ...deleting },
  changeSafeguard: { ...ofReleasePlan, ...changing },
  deleteSafeguard: { ...ofReleasePlan, ...deleting },
} satisfies Partial<ActionTable>

const ofSegment = {
  target: 'segment',
  ...inProject,
  conflict: (_payload: object, segment: SegmentState | undefined) =>
    segment === undefined ? 'Segment has been deleted' : undefined,
  hasSnapshot: true,
  targetPart: (_payload: object, segment: SegmentState | undefined) => (segment === undefined ? null : copyOf(segment)),
  withPart: (_payload: object, part: KnownPart) => (part as SegmentState | null) ?? undefined,
} as const

const segmentActions = {
  updateSegment: {
    ...ofSegment,
    phrase: (_payload, { subject }) => `Editing ${subject}`,
    after: ({ id, ...payload }, segment) => segment && ({ ...segment, ...payload } as unknown as SegmentState),
    merged: mergedProperties,
    inverse: (payload, { snapshot }) => restored('updateSegment', payload, snapshot),
  },
  deleteSegment: {
    ...ofSegment,
    phrase: (_payload, { subject }) => `Deleting ${subject}`,
    after: none,
  },
} satisfies Partial<ActionTable>

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

export function segmentId(change: NewChange): number {
  return (change.payload as { id: number }).id
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

export function targetPart(change: NewChange, state: FlagState): TargetPart {
  const isGone = change.feature !== null && !state.features.has(change.feature)
  return isGone ? null : withSubject(definitionOf(change).targetPart, change, state)
}

export function scopeOf(change: Pick<NewChange, 'action'>): ChangeScope {
  return definitionOf(change).scope
}

export function affectsProject(changes: readonly Pick<NewChange, 'action'>[]): boolean {
  return changes.some((change) => scopeOf(change) === 'project')
}
