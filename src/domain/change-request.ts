import type { Action } from '../generated/index'
import type { Author } from './author'
import type { State } from './lifecycle'

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue }

/** Who did something, as stored with the act: it must still be readable when the user is gone (contract 5.2). */
export interface Person {
  readonly id: number
  /** The user's name, else the e-mail address. */
  readonly username: string | null
  readonly imageUrl: string | null
}

/** A change as a caller proposes it, after validation. */
export interface NewChange {
  readonly action: Action
  /** The flag; null for the two segment actions. */
  readonly feature: string | null
  /** `{}` where the action has none. */
  readonly payload: JsonValue
}

/** A change as it stands in a change request. Ids come from one sequence for all change requests. */
export interface Change extends NewChange {
  readonly id: number
  /** The target as it was when the change request was closed; absent while it is open or where nobody knows. */
  readonly snapshot?: JsonValue
  readonly createdBy: Person
  readonly createdAt: string
}

interface Statement {
  readonly createdBy: Person
  readonly createdAt: string
}

export interface Vote extends Statement {
  /** Of the changes that were voted on. */
  readonly digest: string
}

export interface Comment extends Statement {
  /** Counts the comments of this change request. */
  readonly id: number
  readonly text: string
}

/** An application that was begun and whose outcome is not stored yet. */
export interface Application {
  readonly applyId: string
  readonly startedAt: string
  readonly by: Author
}

export interface Schedule {
  readonly scheduledAt: string
  readonly status: 'pending' | 'failed' | 'suspended'
  readonly reason: string | null
}

/**
 * The aggregate: everything about one change request that is decided and stored together. ISO strings and numbers
 * only, so that no database and no JSON alters it.
 */
export interface ChangeRequest {
  readonly id: number
  readonly project: string
  readonly environment: string
  /** Null until somebody gives it a title of its own. */
  readonly title: string | null
  readonly state: State
  /** Approvals needed, copied from the setting at creation; later settings do not change it (contract 3.3). */
  readonly minApprovals: number
  /** In the order of their ids. */
  readonly changes: readonly Change[]
  readonly approvals: readonly Vote[]
  readonly rejections: readonly Vote[]
  readonly comments: readonly Comment[]
  /** User ids; advisory. */
  readonly requestedApprovers: readonly number[]
  readonly createdBy: Person
  readonly createdAt: string
  /** The latest entry into each state. */
  readonly stateTimestamps: { readonly [state in State]?: string }
  readonly schedule: Schedule | null
  /** Only while a flag gateway without a shared transaction is at work on it. */
  readonly applying?: Application | null
}
