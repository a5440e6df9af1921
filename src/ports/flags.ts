import type { DefaultChange, FlagState, Subjects } from '../domain/flag-state'
import type { Action, RecordedEvent } from '../generated/index'

/**
 * A change as your {@link FlagGateway} carries it out; one that nobody submitted has no id.
 *
 * @example
 * ```ts
 * const change: ApplicableChange = { id: 7, action: 'updateEnabled', feature: 'checkout', payload: { enabled: true } }
 * ```
 */
export interface ApplicableChange extends DefaultChange {
  /** Number of the change; null for a default change. */
  readonly id: number | null
}

/**
 * What your {@link FlagGateway} is told of an application, beside the changes.
 *
 * @example
 * ```ts
 * const context: ApplyContext = {
 *   changeRequestId: 42,
 *   project: 'shop',
 *   environment: 'production',
 *   appliedBy: { id: 2, username: 'Ben Ode', signature: 'ben@example.com' },
 *   applyId: '01JD4Q0W6V0Y6X5N3T1R9K7M2B',
 * }
 * ```
 */
export interface ApplyContext {
  /** Number of the change request. */
  readonly changeRequestId: number
  /** The project of the change request. */
  readonly project: string
  /** The environment that the changes are for. */
  readonly environment: string
  /** Who applies; the flag events are in this name. */
  readonly appliedBy: { readonly id: number; readonly username: string | null; readonly signature: string }
  /** One value for one application, however often it is tried: the idempotency key of a remote gateway. */
  readonly applyId: string
  /** The storage's transaction, for a gateway with `transactional: true`: Knex.Transaction with the Knex storage. */
  readonly transaction?: unknown
}

/**
 * A flag event as your {@link FlagGateway} reports it; project, environment and actor are filled in where it names none.
 *
 * @example
 * ```ts
 * const event: FlagEvent = { type: 'feature-environment-enabled', featureName: 'checkout' }
 * ```
 */
export type FlagEvent = Omit<RecordedEvent, 'groupType' | 'groupId'>

/**
 * Your flags: what they are now, and the one way to change them through a change request.
 *
 * @example
 * ```ts
 * import type { Knex } from 'knex'
 *
 * const flags: FlagGateway = {
 *   transactional: true,
 *   async current({ project, features }) {
 *     const rows = await knex('flags').where({ project }).whereIn('name', features)
 *     const states = rows.map(({ name, archived, enabled }) => [name, { archived, enabled, strategies: [] }] as const)
 *     return { features: new Map(states), segments: new Map() }
 *   },
 *   async apply(changes, { transaction }) {
 *     const events: FlagEvent[] = []
 *     for (const { action, feature } of changes) {
 *       if (action !== 'archiveFeature') throw new ChangeRequestError('ConflictError', `${action} is not known here.`)
 *       await (transaction as Knex.Transaction)('flags').where({ name: feature }).update({ archived: true })
 *       events.push({ type: 'feature-archived', featureName: feature })
 *     }
 *     return events
 *   },
 * }
 * ```
 */
export interface FlagGateway {
  /**
   * True: `apply` writes through `context.transaction` and nowhere else, so flags, state and events are one commit.
   * Otherwise an intent is stored first, then `apply` is called, then the outcome is stored.
   * @defaultValue `false`
   */
  readonly transactional?: boolean

  /**
   * What `apply` carries out. Any other action is refused with 400 when it is proposed, so that nobody reviews what
   * cannot be applied. Read once, when the router is made.
   * @defaultValue all actions
   */
  readonly actions?: readonly Action[]

  /** The present state of what the changes are about; what is missing in the answer is gone. */
  current(subjects: Subjects): Promise<FlagState>

  /**
   * Carries out all of the changes in their order or none. Returns what happened, as flag events.
   *
   * @throws ChangeRequestError refuses, such as a ConflictError: nothing was changed, and the caller is answered with
   * it. What another error left behind is undone with the transaction, or asked for by {@link outcome}.
   */
  apply(changes: readonly ApplicableChange[], context: ApplyContext): Promise<readonly FlagEvent[]>

  /**
   * For gateways without a shared transaction, asked when `apply` failed or a process died before its record: the
   * events if the application was carried out; null if it was not, and then a late arrival of that `applyId` must be
   * refused for ever.
   */
  outcome?(applyId: string): Promise<readonly FlagEvent[] | null>
}
