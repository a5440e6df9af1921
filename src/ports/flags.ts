import type { FlagState, Subjects } from '../domain/flags/flag-state'
import type { Action, RecordedEvent, SubmittedChange } from '../generated/index'

/**
 * A change as your {@link FlagGateway} carries it out. The action decides which payload it has: after
 * `case 'updateEnabled'` TypeScript knows `payload.enabled`. One that nobody submitted has no id.
 *
 * @typeParam Name One action, or several, where not all of them are meant.
 *
 * @example
 * ```ts
 * const change: ApplicableChange = { id: 7, action: 'updateEnabled', feature: 'checkout', payload: { enabled: true } }
 * const tell = ({ feature, payload }: ApplicableChange<'updateEnabled'>) => `${feature}: ${payload.enabled}`
 * ```
 */
export type ApplicableChange<Name extends Action = Action> = {
  [Each in Name]: {
    /** Number of the change; null for a default change. */
    readonly id: number | null
    /** What it does. */
    readonly action: Each
    /** The flag; null for the two segment actions. */
    readonly feature: Extract<SubmittedChange, { action: Each }> extends { feature: string } ? string : null
    /** As it was proposed; `{}` where the action takes none. */
    readonly payload: unknown extends Extract<SubmittedChange, { action: Each }>['payload']
      ? Record<string, never>
      : NonNullable<Extract<SubmittedChange, { action: Each }>['payload']>
  }
}[Name]

/**
 * What your {@link FlagGateway} is told of an application, beside the changes.
 *
 * @typeParam Transaction What the storage gives: `Knex.Transaction` with the Knex storage.
 *
 * @example
 * ```ts
 * const context: ApplyContext = {
 *   changeRequestId: 42,
 *   project: 'shop',
 *   environment: 'production',
 *   appliedBy: { id: 2, username: 'Ben Ode', signature: 'ben@example.com' },
 *   applyId: '01JD4Q0W6V0Y6X5N3T1R9K7M2B',
 *   transaction: undefined,
 * }
 * ```
 */
export interface ApplyContext<Transaction = unknown> {
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
  /** The storage's transaction, for a gateway with `transactional: true`; undefined for any other. */
  readonly transaction: Transaction
}

/**
 * How {@link FlagGateway.current} is to read inside the transaction of an application.
 *
 * @typeParam Transaction What the storage gives: `Knex.Transaction` with the Knex storage.
 *
 * @example
 * ```ts
 * import type { Knex } from 'knex'
 *
 * function flagsFor(names: string[], options?: CurrentOptions<Knex.Transaction>) {
 *   const query = (options?.transaction ?? knex)('flags').whereIn('name', names).orderBy('name')
 *   return options?.forUpdate ? query.forUpdate() : query
 * }
 * ```
 */
export interface CurrentOptions<Transaction = unknown> {
  /** The storage's transaction, which is that of the `apply` to come. */
  readonly transaction: Transaction
  /** Nobody else may change what was read until the transaction ends. */
  readonly forUpdate: true
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
 * @typeParam Transaction What the storage gives to a gateway with `transactional: true`: `Knex.Transaction` with the Knex
 * storage. Written where the options of the router are, it is inferred.
 *
 * @example
 * ```ts
 * import type { Knex } from 'knex'
 *
 * const flags: FlagGateway<Knex.Transaction> = {
 *   transactional: true,
 *   actions: ['updateEnabled', 'archiveFeature'],
 *   async current({ features }, options) {
 *     const query = (options?.transaction ?? knex)('flags').whereIn('name', features).orderBy('name')
 *     const rows = await (options?.forUpdate ? query.forUpdate() : query)
 *     const states = rows.map(({ name, archived, enabled }) => [name, { archived, enabled }] as const)
 *     return { features: new Map(states), segments: new Map() }
 *   },
 *   async apply(changes, { transaction }) {
 *     const events: FlagEvent[] = []
 *     for (const change of changes) {
 *       const flag = transaction('flags').where({ name: change.feature })
 *       if (change.action === 'updateEnabled') {
 *         const { enabled } = change.payload
 *         await flag.update({ enabled })
 *         const type = enabled ? 'feature-environment-enabled' : 'feature-environment-disabled'
 *         events.push({ type, featureName: change.feature })
 *       } else {
 *         await flag.update({ archived: true })
 *         events.push({ type: 'feature-archived', featureName: change.feature })
 *       }
 *     }
 *     return events
 *   },
 * }
 * ```
 */
export interface FlagGateway<Transaction = unknown> {
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

  /**
   * The present state of what the changes are about; what is missing in the answer is gone.
   *
   * Asked without options for views and before a decision. A gateway with `transactional: true` is asked with them once
   * more inside the transaction of an application, right before `apply`: then it must read through that transaction and
   * lock what it reads, always in the same order, so that what was decided on is what `apply` finds.
   */
  current(subjects: Subjects, options?: CurrentOptions<Transaction>): Promise<FlagState>

  /**
   * Carries out all of the changes in their order or none. Returns what happened, as flag events. The changes are copies.
   * Of each flag there is one `updateEnabled` at most: first comes what switches off, then all else and the default
   * strategies, then what switches on, last what archives. `shouldActivateDisabledStrategies` means the strategies that
   * were there before the application, not those that it added.
   *
   * @throws ChangeRequestError refuses, such as a ConflictError: nothing was changed, and the caller is answered with
   * it. What another error left behind is undone with the transaction, or asked for by {@link outcome}.
   */
  apply(changes: readonly ApplicableChange[], context: ApplyContext<Transaction>): Promise<readonly FlagEvent[]>

  /**
   * For gateways without a shared transaction, asked when `apply` failed or a process died before its record: the
   * events if the application was carried out; null if it was not, and then a late arrival of that `applyId` must be
   * refused for ever.
   */
  outcome?(applyId: string): Promise<readonly FlagEvent[] | null>
}

/**
 * What became of an application that broke off, as somebody who runs the server found out.
 *
 * @example
 * ```ts
 * const settlement: Settlement = {
 *   project: 'shop',
 *   id: 42,
 *   outcome: 'applied',
 *   events: [{ type: 'feature-environment-enabled', featureName: 'checkout' }],
 * }
 * await router.settle(settlement)
 * ```
 */
export interface Settlement {
  /** The project of the change request. */
  readonly project: string
  /** Number of the change request. */
  readonly id: number
  /** `applied`: it becomes Applied. `not-applied`: it is as it was before, and can be applied again. */
  readonly outcome: 'applied' | 'not-applied'
  /**
   * What happened to the flags, for the log; only for what was applied.
   * @defaultValue none
   */
  readonly events?: readonly FlagEvent[]
  /**
   * Whether to settle an application that began less than `limits.applyTimeoutMs` ago, and may still be under way.
   * @defaultValue `false`
   */
  readonly force?: boolean
}
