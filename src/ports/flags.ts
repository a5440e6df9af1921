import type { JsonValue } from '../domain/change-request'
import type { FlagState, Subjects } from '../domain/flag-state'
import type { Action, RecordedEvent, SubmittedChange } from '../generated/index'

/**
 * A change as your {@link FlagGateway} applies it. The action determines the type of the payload: after
 * `case 'updateEnabled'` TypeScript knows `payload.enabled`. An implied change, which nobody submitted, has no id.
 *
 * @typeParam Name The actions of the change; all of them by default.
 */
export type ApplicableChange<Name extends Action = Action> = {
  [Each in Name]: {
    /** Id of the change; null for an implied change. */
    readonly id: number | null
    /** What the change does. */
    readonly action: Each
    /** The flag; null for the two segment actions. */
    readonly feature: Extract<SubmittedChange, { action: Each }> extends { feature: string } ? string : null
    /** The payload as it was proposed; `{}` for an action without one. */
    readonly payload: unknown extends Extract<SubmittedChange, { action: Each }>['payload']
      ? Record<string, never>
      : NonNullable<Extract<SubmittedChange, { action: Each }>['payload']>
    /**
     * For a gateway that is not `transactional`: the part of the target that the router checked the change against, as it
     * was before the apply; null if it did not exist, absent if unknown. Reject a change whose target differs, so that edits after
     * the check are not overwritten.
     */
    readonly expected?: { readonly [property: string]: JsonValue } | null
  }
}[Name]

/**
 * The context of an apply, for your {@link FlagGateway}.
 *
 * @typeParam Transaction The storage's transaction: `Knex.Transaction` with the Knex storage.
 */
export interface ApplyContext<Transaction = unknown> {
  /** Id of the change request. */
  readonly changeRequestId: number
  /** The project of the change request. */
  readonly project: string
  /** The environment of the change request. */
  readonly environment: string
  /** The user who applies; the author of the flag events. */
  readonly appliedBy: { readonly id: number; readonly username: string | null; readonly signature: string }
  /** The same value for every attempt of one apply: the idempotency key of a remote gateway. */
  readonly applyId: string
  /** The storage's transaction if the gateway is `transactional`, else undefined. */
  readonly transaction: Transaction
}

/**
 * How {@link FlagGateway.current} reads inside the transaction of an apply.
 *
 * @typeParam Transaction The storage's transaction: `Knex.Transaction` with the Knex storage.
 */
export interface CurrentOptions<Transaction = unknown> {
  /** The storage's transaction, the same as in the `apply` that follows. */
  readonly transaction: Transaction
  /** Lock what you read until the transaction ends. */
  readonly forUpdate: true
}

/** The actions that a {@link FlagGateway} supports: a list, or a map to the JSON Schema of a change with the action. */
export type SupportedActions = readonly Action[] | { readonly [action in Action]?: object }

/**
 * An event of a flag, as your {@link FlagGateway} returns it. Project, environment and actor default to those of the
 * apply.
 */
export interface FlagEvent extends Omit<RecordedEvent, 'groupType' | 'groupId'> {
  /**
   * Id of the change that caused it; null for an implied change. With it, and with the id of a new strategy or release plan
   * in `data.id`, the router can revert what was added. It does not appear in the log.
   */
  readonly changeId?: number | null
}

/**
 * Reads your flags, and applies approved changes to them.
 *
 * @typeParam Transaction The storage's transaction, for a `transactional` gateway: `Knex.Transaction` with the Knex
 * storage. It is inferred when the gateway is written among the options of the router.
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
   * With true, `apply` writes only through `context.transaction`, so that flags, state and events are committed together.
   * With false, the router stores an intent, calls `apply`, and then stores the result.
   * @defaultValue `false`
   */
  readonly transactional?: boolean

  /**
   * The actions that `apply` supports. A proposal with another action is rejected with 400, so that nobody reviews a change
   * that cannot be applied. Or a map from each action to a JSON Schema 2020-12 of the change, for what the schema of this package
   * permits but `apply` does not support: a change must match both. The payload must be closed with
   * `additionalProperties: false`, and references must stay inside the schema. Read once, when the router is created.
   * @defaultValue all actions
   */
  readonly actions?: SupportedActions

  /**
   * Returns the current state of flags and segments. One that is missing in the result does not exist.
   *
   * It is called without options for views and before a decision. For a `transactional` gateway it is called again, with
   * options, inside the transaction of an apply, right before `apply`. Then it must read through that transaction and lock
   * what it reads, always in the same order, so that `apply` sees the state that the decision was based on.
   */
  current(subjects: Subjects, options?: CurrentOptions<Transaction>): Promise<FlagState>

  /**
   * Applies all changes in their order, atomically. Returns what happened, as flag events. The changes are copies, with at
   * most one `updateEnabled` for each flag. First come those that disable a flag, then all others and the default
   * strategies, then those that enable a flag, last those that archive one. `shouldActivateDisabledStrategies` refers to
   * the strategies before the apply, not to those that it adds.
   *
   * @throws ChangeRequestError such as a ConflictError, which becomes the response; then nothing must have changed. After
   * any other error the transaction is rolled back; without one, the router calls {@link outcome}.
   */
  apply(changes: readonly ApplicableChange[], context: ApplyContext<Transaction>): Promise<readonly FlagEvent[]>

  /**
   * For gateways that are not `transactional`: reports the result of an apply. It is called if `apply` failed, or if a
   * process died before it stored the result. Returns the events if the changes were applied, else null. After null, the
   * gateway must permanently reject requests with this `applyId` that arrive later.
   */
  outcome?(applyId: string): Promise<readonly FlagEvent[] | null>
}

/**
 * A {@link FlagGateway} for a storage in whose transactions nothing may wait, such as `sqliteStorage`: `current` and `apply`
 * return values, not promises. Everything between BEGIN and COMMIT then runs without a pause, so no other statement can become
 * part of the transaction.
 *
 * @typeParam Transaction The storage's transaction: the `Database` of better-sqlite3 with `sqliteStorage`.
 *
 * @example
 * ```ts
 * import Database from 'better-sqlite3'
 *
 * const database = new Database('app.sqlite')
 * const flags: SyncFlagGateway<Database.Database> = {
 *   transactional: true,
 *   actions: ['updateEnabled'],
 *   current({ features }) {
 *     const find = database.prepare<[string], { enabled: number }>('select enabled from flags where name = ?')
 *     const states = features.flatMap((name) => {
 *       const row = find.get(name)
 *       return row ? [[name, { archived: false, enabled: row.enabled === 1 }] as const] : []
 *     })
 *     return { features: new Map(states), segments: new Map() }
 *   },
 *   apply(changes, { transaction }) {
 *     const write = transaction.prepare('update flags set enabled = ? where name = ?')
 *     return changes.map((change) => {
 *       const { enabled } = (change as ApplicableChange<'updateEnabled'>).payload
 *       write.run(Number(enabled), change.feature)
 *       return { type: 'feature-environment-enabled', featureName: change.feature ?? '' }
 *     })
 *   },
 * }
 * ```
 */
export interface SyncFlagGateway<Transaction = unknown> {
  /** Always true: `apply` writes only through `context.transaction`. */
  readonly transactional: true

  /** As {@link FlagGateway.actions}. */
  readonly actions?: SupportedActions

  /**
   * As {@link FlagGateway.current}. If it returns something else inside the transaction than before it, the apply is decided
   * again.
   */
  current(subjects: Subjects, options?: CurrentOptions<Transaction>): FlagState

  /** As {@link FlagGateway.apply}. If it returns a promise, everything is rolled back, and the response is 500. */
  apply(changes: readonly ApplicableChange[], context: ApplyContext<Transaction>): readonly FlagEvent[]

  /** Not needed: what is committed in one transaction is never unknown. */
  readonly outcome?: undefined
}

/** The outcome of an interrupted apply, as determined by an operator. */
export interface Settlement {
  /** The project of the change request. */
  readonly project: string
  /** Id of the change request. */
  readonly id: number
  /** `applied`: it becomes Applied. `not-applied`: it returns to its previous state, and can be applied again. */
  readonly outcome: 'applied' | 'not-applied'
  /**
   * What happened to the flags, for the log; only with the outcome `applied`.
   * @defaultValue none
   */
  readonly events?: readonly FlagEvent[]
  /**
   * Whether to settle an apply that began less than `limits.applyTimeoutMs` ago, and may still be running.
   * @defaultValue `false`
   */
  readonly force?: boolean
}
