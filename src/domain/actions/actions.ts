import type { Action, SubmittedChange } from '../../generated/index'
import type { JsonValue, NewChange } from '../change-request'
import type { FeatureState, SegmentState } from '../flag-state'
import * as after from './after'
import type { FlagOutcome } from './effects'
import * as effect from './effects'
import * as inverse from './inverse'
import * as merged from './merged'
import * as gone from './missing-targets'
import * as snapshot from './snapshots'
import * as part from './target-parts'

type Submitted<A extends Action> = Extract<SubmittedChange, { action: A }>

/** The payload of an action as its schema describes it; an object without known properties where it has none. */
export type PayloadOf<A extends Action> =
  Submitted<A> extends { payload: infer Payload } ? Payload : { readonly [property: string]: unknown }

/** What an action changes. */
export type Target =
  | 'segment'
  | 'flag'
  | 'switch'
  | 'strategy'
  | 'strategies'
  | 'variants'
  | 'parents'
  | 'release plan'
  | 'milestone'
  | 'safeguard'

/** When changes are carried out: switches off, `change`, switches on, `archive` (contract 6.4). */
export type Stage = 'change' | 'switch' | 'archive'

/** Where a change takes effect: in the environment of its change request, or in every environment of the project (extensions 7). */
export type ChangeScope = 'environment' | 'project'

/** All that the rules know about an action. `Subject` is the present flag, or the present segment if there is one. */
export interface ActionDefinition<Payload, Subject> {
  /** What it changes. `strategy` means: the strategy whose id is in the payload. */
  readonly target: Target
  readonly scope: ChangeScope
  readonly stage: Stage
  /** Why the change cannot be applied: a part of the flag that it names is gone (contract 5.6). */
  readonly conflict: (payload: Payload, subject: Subject) => string | undefined
  /** The target as it is now, to be stored with the change when the change request closes (contract 5.2). */
  readonly snapshot: (payload: Payload, subject: Subject) => JsonValue | undefined
  /** The part of the target that it can alter, as it is now. */
  readonly targetPart: (payload: Payload, subject: Subject) => part.TargetPart
  /** The subject as the change leaves it. */
  readonly after: (payload: Payload, subject: Subject, changeId: number | null) => Subject
  /** What it adds; absent for actions that alter something that is there. */
  readonly added?: (payload: Payload) => part.TargetPart
  /** The payload that leads to this part; absent where there is none but the proposed one. */
  readonly merged?: (payload: Payload, part: NonNullable<part.TargetPart>) => JsonValue
  /** What takes it back; undefined where nothing does, and absent where nothing ever does (extensions 6). */
  readonly inverse?: (payload: Payload, past: inverse.Past) => readonly inverse.Inverse[] | undefined
  /** What it does to the flag, as far as default changes depend on it (contract 5.5). */
  readonly effect: (flag: FlagOutcome, payload: Payload, changeId: number) => void
}

type SubjectOf<A extends Action> = Submitted<A> extends { feature: string } ? FeatureState : SegmentState | undefined

type ActionTable = { readonly [A in Action]: ActionDefinition<PayloadOf<A>, SubjectOf<A>> }

const none = () => undefined

/** The one place that knows what each action means. A new action does not compile without a row here. */
const table: ActionTable = {
  updateSegment: {
    target: 'segment',
    scope: 'project',
    stage: 'change',
    conflict: gone.segment,
    snapshot: snapshot.segment,
    targetPart: part.segment,
    after: after.updateSegment,
    merged: merged.properties,
    inverse: inverse.updateSegment,
    effect: none,
  },
  deleteSegment: {
    target: 'segment',
    scope: 'project',
    stage: 'change',
    conflict: gone.segment,
    snapshot: snapshot.segment,
    targetPart: part.segment,
    after: after.deleteSegment,
    effect: none,
  },
  updateEnabled: {
    target: 'switch',
    scope: 'environment',
    stage: 'switch',
    conflict: none,
    snapshot: snapshot.enabled,
    targetPart: part.enabled,
    after: after.updateEnabled,
    merged: merged.enabled,
    inverse: inverse.updateEnabled,
    effect: effect.switchFlag,
  },
  addStrategy: {
    target: 'strategies',
    scope: 'environment',
    stage: 'change',
    conflict: none,
    snapshot: none,
    targetPart: part.added,
    after: after.addStrategy,
    added: after.strategyAdded,
    inverse: inverse.addStrategy,
    effect: effect.addStrategy,
  },
  updateStrategy: {
    target: 'strategy',
    scope: 'environment',
    stage: 'change',
    conflict: gone.strategy,
    snapshot: snapshot.strategy,
    targetPart: part.strategy,
    after: after.updateStrategy,
    merged: merged.properties,
    inverse: inverse.updateStrategy,
    effect: effect.updateStrategy,
  },
  deleteStrategy: {
    target: 'strategy',
    scope: 'environment',
    stage: 'change',
    conflict: gone.strategy,
    snapshot: snapshot.strategy,
    targetPart: part.strategy,
    after: after.deleteStrategy,
    inverse: inverse.deleteStrategy,
    effect: effect.deleteStrategy,
  },
  archiveFeature: {
    target: 'flag',
    scope: 'project',
    stage: 'archive',
    conflict: none,
    snapshot: none,
    targetPart: part.archived,
    after: after.archiveFeature,
    effect: effect.archiveFlag,
  },
  patchVariant: {
    target: 'variants',
    scope: 'environment',
    stage: 'change',
    conflict: none,
    snapshot: snapshot.variants,
    targetPart: part.variants,
    after: after.patchVariant,
    merged: merged.properties,
    inverse: inverse.patchVariant,
    effect: none,
  },
  reorderStrategy: {
    target: 'strategies',
    scope: 'environment',
    stage: 'change',
    conflict: gone.strategies,
    snapshot: snapshot.order,
    targetPart: part.order,
    after: after.reorderStrategy,
    merged: merged.order,
    inverse: inverse.reorderStrategy,
    effect: none,
  },
  addDependency: {
    target: 'parents',
    scope: 'project',
    stage: 'change',
    conflict: gone.parent,
    snapshot: snapshot.dependencies,
    targetPart: part.dependencies,
    after: after.addDependency,
    inverse: inverse.addDependency,
    effect: none,
  },
  deleteDependency: {
    target: 'parents',
    scope: 'project',
    stage: 'change',
    conflict: none,
    snapshot: snapshot.dependencies,
    targetPart: part.dependencies,
    after: after.deleteDependency,
    inverse: inverse.deleteDependency,
    effect: none,
  },
  addReleasePlan: {
    target: 'release plan',
    scope: 'environment',
    stage: 'change',
    conflict: none,
    snapshot: none,
    targetPart: part.added,
    after: after.same,
    added: after.planAdded,
    inverse: inverse.addReleasePlan,
    effect: none,
  },
  startMilestone: {
    target: 'milestone',
    scope: 'environment',
    stage: 'change',
    conflict: gone.planOrMilestone,
    snapshot: none,
    targetPart: part.milestone,
    after: after.same,
    effect: none,
  },
  deleteReleasePlan: {
    target: 'release plan',
    scope: 'environment',
    stage: 'change',
    conflict: gone.plan,
    snapshot: none,
    targetPart: part.plan,
    after: after.deleteReleasePlan,
    effect: none,
  },
  changeMilestoneProgression: {
    target: 'milestone',
    scope: 'environment',
    stage: 'change',
    conflict: gone.sourceMilestone,
    snapshot: none,
    targetPart: part.sourceMilestone,
    after: after.same,
    effect: none,
  },
  deleteMilestoneProgression: {
    target: 'milestone',
    scope: 'environment',
    stage: 'change',
    conflict: gone.sourceMilestone,
    snapshot: none,
    targetPart: part.sourceMilestone,
    after: after.same,
    effect: none,
  },
  resumeMilestoneProgression: {
    target: 'milestone',
    scope: 'environment',
    stage: 'change',
    conflict: gone.plan,
    snapshot: none,
    targetPart: part.plan,
    after: after.same,
    effect: none,
  },
  updateMilestoneStrategy: {
    target: 'strategy',
    scope: 'environment',
    stage: 'change',
    conflict: gone.milestoneStrategy,
    snapshot: snapshot.milestoneStrategy,
    targetPart: part.milestoneStrategy,
    after: after.updateMilestoneStrategy,
    merged: merged.properties,
    inverse: inverse.updateMilestoneStrategy,
    effect: none,
  },
  changeReleasePlanSafeguard: {
    target: 'safeguard',
    scope: 'environment',
    stage: 'change',
    conflict: gone.plan,
    snapshot: none,
    targetPart: none,
    after: after.same,
    effect: none,
  },
  deleteReleasePlanSafeguard: {
    target: 'safeguard',
    scope: 'environment',
    stage: 'change',
    conflict: gone.plan,
    snapshot: none,
    targetPart: none,
    after: after.same,
    effect: none,
  },
  changeFeatureEnvSafeguard: {
    target: 'safeguard',
    scope: 'environment',
    stage: 'change',
    conflict: none,
    snapshot: none,
    targetPart: none,
    after: after.same,
    effect: none,
  },
  deleteFeatureEnvSafeguard: {
    target: 'safeguard',
    scope: 'environment',
    stage: 'change',
    conflict: none,
    snapshot: none,
    targetPart: none,
    after: after.same,
    effect: none,
  },
  changeSafeguard: {
    target: 'safeguard',
    scope: 'environment',
    stage: 'change',
    conflict: gone.plan,
    snapshot: none,
    targetPart: none,
    after: after.same,
    effect: none,
  },
  deleteSafeguard: {
    target: 'safeguard',
    scope: 'environment',
    stage: 'change',
    conflict: gone.plan,
    snapshot: none,
    targetPart: none,
    after: after.same,
    effect: none,
  },
}

/** Every action, in the order in which messages list them. */
export const allActions: readonly Action[] = Object.keys(table) as Action[]

/** The row of the action for a change whose payload has passed the schema of that action. */
export function definitionOf({ action }: Pick<NewChange, 'action'>): ActionDefinition<JsonValue, unknown> {
  return table[action] as unknown as ActionDefinition<JsonValue, unknown>
}
