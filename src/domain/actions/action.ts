import type { Action, SubmittedChange } from '../../generated/index'
import type { Change, JsonValue, NewChange } from '../change-request'
import type { FeatureState, FlagState, SegmentState, StrategyState } from '../flag-state'

type Submitted<A extends Action> = Extract<SubmittedChange, { action: A }>

/** The payload of an action as its schema describes it; an object without known properties if it has none. */
type PayloadOf<A extends Action> =
  Submitted<A> extends { payload: infer Payload } ? Payload : { readonly [property: string]: unknown }

type SubjectOf<A extends Action> = Submitted<A> extends { feature: string } ? FeatureState : SegmentState | undefined

/** A row for each action. A family holds the rows of the actions that change the same kind of thing. */
export type ActionTable = { readonly [A in Action]: ActionDefinition<PayloadOf<A>, SubjectOf<A>> }

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

/** When changes are applied: switches off, `change`, switches on, `archive` (contract 6.4). */
export type Stage = 'change' | 'switch' | 'archive'

/** Where a change takes effect: in its environment, or in every environment of the project (contract 18). */
export type ChangeScope = 'environment' | 'project'

/**
 * The part of its target that an action can alter: null if the target does not exist, undefined if the gateway does not
 * return it. Parts are copies, so they stay as they were read.
 */
export type TargetPart = { readonly [property: string]: JsonValue } | null | undefined

export type KnownPart = Exclude<TargetPart, undefined>

export interface ChangeNames {
  readonly subject: string
  /** The strategy that it changes, in quotes; `a strategy` if its name is unknown. */
  readonly strategy: string
}

export type Past = Pick<Change, 'snapshot' | 'created' | 'activated'>

/** A change that reverts another one; it has the same flag or segment. */
export type Inverse = Pick<NewChange, 'action' | 'payload'>

/** What the implied changes depend on: the state of a flag after the previous changes (contract 5.5). */
export interface FlagOutcome {
  enabled: boolean
  archived: boolean
  /** The last switch activates the strategies that are disabled. */
  activates: boolean
  /** For each strategy, whether it is active; strategies that the changes add are known by the id of their change. */
  readonly active: Map<string | number, boolean>
}

export interface ConflictContext {
  readonly feature: string | null
  readonly missing: FlagState['missing']
}

/**
 * The definition of an action. `Subject` is the current flag, or the current segment if there is one. What the gateway does
 * not return is undefined.
 */
export interface ActionDefinition<Payload, Subject> {
  /** What it changes. `strategy` means: the strategy whose id is in the payload. */
  readonly target: Target
  readonly scope: ChangeScope
  readonly stage: Stage
  readonly phrase: (payload: Payload, names: ChangeNames) => string
  /** Why the change cannot be applied: a part of the flag that it names was deleted (contract 5.6). Absent if it names none. */
  readonly conflict?: (payload: Payload, subject: Subject, context: ConflictContext) => string | undefined
  /** Whether clients get the part in `payload.snapshot` once the change request is closed (contract 5.2). Absent: they do not. */
  readonly hasSnapshot?: boolean
  readonly targetPart: (payload: Payload, subject: Subject) => TargetPart
  /** The subject with this part, which `targetPart` then returns. Only for parts that `targetPart` can return. */
  readonly withPart: (payload: Payload, part: KnownPart, subject: Subject) => Subject
  readonly after: (payload: Payload, subject: Subject, changeId: number | null) => Subject
  /** What it adds; absent for actions that alter something that exists. */
  readonly added?: (payload: Payload) => TargetPart
  /**
   * What it sets of the target that the gateway does not return, as sent: unknown properties, for example. By default nothing,
   * or the whole payload if no gateway returns the target.
   */
  readonly unseen?: (payload: Payload) => { readonly [property: string]: unknown }
  /** The strategies that it would switch on without naming them; absent for actions that switch on none. */
  readonly activates?: (payload: Payload, subject: Subject) => readonly StrategyState[]
  /** The payload that leads to this part; absent for actions that cannot be merged. */
  readonly merged?: (payload: Payload, part: NonNullable<TargetPart>) => JsonValue
  /** The changes that revert it; undefined if unknown, absent for an irreversible action (contract 17). */
  readonly inverse?: (payload: Payload, past: Past) => readonly Inverse[] | undefined
  /** Updates the outcome of the flag, on which the implied changes depend (contract 5.5); absent if they do not. */
  readonly effect?: (flag: FlagOutcome, payload: Payload, changeId: number) => void
}
