import type { PlacedRule } from '../approval/approval-rule'
import type { ChangeRequest, NewChange } from '../change-request'
import type { Irreversible } from '../diff/revert'
import type { Missing } from './codes'

/** The permissions that the rules of the steps ask about. */
export type StepPermission =
  | 'READ_CHANGE_REQUEST'
  | 'CREATE_CHANGE_REQUEST'
  | 'APPROVE_CHANGE_REQUEST'
  | 'APPLY_CHANGE_REQUEST'
  | 'SKIP_CHANGE_REQUEST'
  | 'ADMIN'

/** Who wants to take a step. */
export interface StepCaller {
  /** Null for a key that stands for no person. */
  readonly id: number | null
  /** What the host grants them in the project and environment, of all that the step asks about. */
  readonly held: ReadonlySet<StepPermission>
  /** What they lack in other environments that the changes affect; absent for nothing. */
  readonly lacking?: readonly LackedPermission[]
}

/** A permission that the caller lacks in a gated environment beside that of the change request. */
export interface LackedPermission {
  readonly permission: StepPermission
  /** Undefined: in environments that nobody named, which is asked for the whole project. */
  readonly environment: string | undefined
}

/** The options of the router that the rules depend on. */
export interface StepOptions {
  /** An ADMIN may vote on their own change request. */
  readonly adminSelfApproval: boolean
  /** Whether everybody who may create or approve there sets the title and requests approvers. */
  readonly detailsByAnyone: boolean
  /** Something carries scheduled change requests out. */
  readonly scheduler: boolean
  /** What is urgent may be applied before it is approved. */
  readonly emergency: boolean
  /** What somebody else altered may be overwritten. */
  readonly overwrites: boolean
  /** Something carries changes out: a flag gateway, or the host that follows the log. */
  readonly carriesOut: boolean
  /** The flag gateway knows what became of an apply attempt. */
  readonly knowsOutcome: boolean
  /** Segments may be changed that belong to other projects as well. */
  readonly globalSegments: boolean
}

/** For steps that depend on no option. */
export const noOptions: StepOptions = {
  adminSelfApproval: false,
  detailsByAnyone: false,
  scheduler: false,
  emergency: false,
  overwrites: false,
  carriesOut: false,
  knowsOutcome: false,
  globalSegments: false,
}

/**
 * All that the rules of a step know beside the change request. It is gathered before the write waits for its turn, and it
 * holds for the content that was read then. What a further rule needs to know gets a member here, and a line in
 * `operations/review/step-facts.ts`.
 */
export interface StepFacts {
  readonly caller: StepCaller
  readonly options: StepOptions
  /** Of all that would be applied now, default changes included; absent for steps that do not depend on it. */
  readonly digest?: string
  /** The approval rules that are for it now; absent for steps that do not depend on them. */
  readonly rules?: readonly PlacedRule[]
  /** Whose approvals still count; absent where everybody's do. */
  readonly approvers?: ReadonlySet<number>
  /** Why the changes cannot be applied to the present flags, one sentence each (contract 5.6). */
  readonly conflicts?: readonly string[]
  /** Another open change request of the caller in the project and environment; absent where there is none. */
  readonly otherOpen?: number
  /** What the changes would overwrite, one sentence for each field (extensions 5). */
  readonly overwrites?: readonly string[]
  /** What the validator of the host finds wrong with the changes, for each occasion that it was asked about. */
  readonly invalid?: { readonly [when in 'submit' | 'apply']?: readonly Missing[] }
  /** True for an apply attempt that has had no outcome for too long; absent for steps that do not depend on it. */
  readonly interrupted?: boolean
  /** Segments of its changes that belong to other projects as well, one sentence for each change (extensions 7). */
  readonly foreignSegments?: readonly Missing[]
  /** What taking it back would propose; absent for what is not applied. */
  readonly revert?: RevertFacts
}

/** What is known about the change request that would revert this one. */
export interface RevertFacts {
  /** The changes that nothing takes back, and those that can. */
  readonly irreversible: readonly Irreversible[]
  readonly changes: readonly NewChange[]
  /** Whether change requests are switched off there. */
  readonly off: boolean
  /** What the validator of the host finds wrong with the proposal. */
  readonly invalid: readonly Missing[]
  /** Why there is no room for it in a change request. */
  readonly excess?: string | undefined
}

/** What only the present call knows. It is not part of the review, which assumes a well-formed body. */
export interface StepCall {
  /** Why something in the body has no room in the change request. */
  readonly excess?: string | undefined
  /** What the changes overwrite, and the body does not decide on. */
  readonly unnamed?: readonly string[]
  /** True when no change is left afterwards. */
  readonly leavesNone?: boolean
  /** True when what is irreversible may stay as it is. */
  readonly partial?: boolean
  /** What the validator of the host finds wrong with the proposed changes. */
  readonly invalid?: readonly Missing[]
}

/** The input of each rule. */
export interface StepQuestion {
  readonly current: ChangeRequest
  readonly facts: StepFacts
  readonly call: StepCall
}
