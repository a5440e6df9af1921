import type { DefaultChange, FlagState, Subjects } from '../domain/flag-state'
import type { RecordedEvent } from '../generated/index'

/** A change as the gateway carries it out; a default change (contract 5.5) has no id. */
export interface ApplicableChange extends DefaultChange {
  readonly id: number | null
}

export interface ApplyContext {
  readonly changeRequestId: number
  readonly project: string
  readonly environment: string
  /** Who applies; the flag events are in this name. */
  readonly appliedBy: { readonly id: number; readonly username: string | null; readonly signature: string }
  /** One value for one application, however often it is tried: the idempotency key of a remote gateway. */
  readonly applyId: string
  /** The storage's transaction, for a gateway with `transactional: true`: Knex.Transaction with the Knex storage. */
  readonly transaction?: unknown
}

/** A flag event as the gateway reports it; project, environment and actor are filled in where it names none. */
export type FlagEvent = Omit<RecordedEvent, 'groupType' | 'groupId'>

/**
 * The flags of the host: what they are now, and the one way to change them through a change request.
 */
export interface FlagGateway {
  /**
   * True: `apply` writes through `context.transaction` and nowhere else, so flags, state and events are one commit.
   * Otherwise an intent is stored first, then `apply` is called, then the outcome is stored.
   */
  readonly transactional?: boolean

  /** The present state of what the changes are about; what is missing in the answer is gone. */
  current(subjects: Subjects): Promise<FlagState>

  /**
   * Carries out all of the changes in their order or none. Returns what happened, as flag events (contract 8.2). A
   * ChangeRequestError, such as a ConflictError, refuses: nothing was changed, and the caller is answered with it. What
   * another error left behind is undone with the transaction, or asked for by {@link outcome}.
   */
  apply(changes: readonly ApplicableChange[], context: ApplyContext): Promise<readonly FlagEvent[]>

  /**
   * For gateways without a shared transaction, asked when `apply` failed or a process died before its record: the
   * events if the application was carried out; null if it was not, and then a late arrival of that `applyId` must be
   * refused for ever.
   */
  outcome?(applyId: string): Promise<readonly FlagEvent[] | null>
}
