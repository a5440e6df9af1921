import type { ApprovalRules } from '../domain/approval/approval-rule'
import type { Checks } from '../domain/checks/check'
import type { CustomFields } from '../domain/custom-fields/custom-fields'
import type { SettingOrFunction } from '../domain/decisions/settings'
import type { Freezes } from '../domain/freezes/freeze'
import type { LinkTemplates } from '../domain/links'
import type { Actor, Authenticate, Authorize } from '../ports/access'
import type { Directory } from '../ports/directory'
import type { FlagGateway, SyncFlagGateway } from '../ports/flags'
import type { Logger } from '../ports/logger'
import type { Playground } from '../ports/playground'
import type { Storage } from '../ports/storage/storage'
import type { TelemetryOptions } from '../ports/telemetry'
import type { UserDirectory } from '../ports/users'
import type { Validate } from '../ports/validate'
import type { Limits } from './limits'

/**
 * The options of {@link createChangeRequestRouter}; `storage` and `authenticate` are required. `authorize` receives what
 * `authenticate` returns; write `authenticate` first, and TypeScript infers its type.
 *
 * @example
 * ```ts
 * const options: ChangeRequestRouterOptions = {
 *   storage: memoryStorage(),
 *   authenticate: apiKeys([{ key: 'user:4f1c', user: { id: 1 }, grants: [{ permission: 'READ_EVENTS' }] }]),
 *   requiredApprovals: 2,
 *   limits: { changesPerRequest: 50 },
 * }
 * ```
 */
export interface ChangeRequestRouterOptions<HostActor extends Actor = Actor, Transaction = unknown> {
  /** Where change requests and events are stored: `knexStorage(...)`, `memoryStorage()` or your own. */
  readonly storage: Storage<Transaction>
  /** Returns the actor of a request, or null; `apiKeys([...])` is a ready-made implementation. */
  readonly authenticate: Authenticate<HostActor>
  /**
   * Decides whether an actor has a permission.
   * @defaultValue the grants of the actor, deny by default
   */
  readonly authorize?: Authorize<HostActor>
  /**
   * The projects, environments and flags of your app.
   * @defaultValue accepts every well-formed name
   */
  readonly directory?: Directory
  /**
   * The users of your app: who can be requested as an approver, and their current names.
   * @defaultValue no approvers can be requested, and names are shown as stored
   */
  readonly users?: UserDirectory | null
  /**
   * Your flags: reads their current state and applies approved changes.
   * @defaultValue none: change requests can be approved, but not applied
   */
  readonly flags?: FlagGateway<Transaction> | SyncFlagGateway<Transaction> | null
  /**
   * Without `flags`: applying only records the state Applied, for apps that change their flags when they read the event.
   * @defaultValue `false`
   */
  readonly recordOnly?: boolean
  /**
   * Rules for changes in addition to their schemas, checked when changes are proposed, sent to review, applied or scheduled;
   * `unleashRules()` is a ready-made implementation.
   * @defaultValue none: the schemas alone
   */
  readonly validate?: Validate<HostActor> | null
  /**
   * Evaluates your flags as if a change request were applied, for the playground.
   * @defaultValue none: the playground is 404
   */
  readonly playground?: Playground<HostActor> | null
  /**
   * Whether an ADMIN can vote on their own change requests. The event records it.
   * @defaultValue `false`
   */
  readonly adminSelfApproval?: boolean
  /**
   * Approvals that certain change requests need in addition to the minimum: a list of rules, or a function that returns the
   * rules of a project and environment.
   * @defaultValue none
   */
  readonly approvalRules?: ApprovalRules
  /**
   * Results of other systems, such as CI, that must be `passed` before change requests are applied: a list of checks, or a function
   * that returns those of a project and environment. All processes of a database need the same.
   * @defaultValue none
   */
  readonly checks?: Checks
  /**
   * Times during which change requests are not applied: a list of freezes, or a function that returns those of a project and
   * environment. All processes of a database need the same.
   * @defaultValue none
   */
  readonly freezes?: Freezes
  /**
   * Fields that authors fill in before the review, such as a ticket. All processes of a database need the same.
   * @defaultValue none
   */
  readonly customFields?: CustomFields | null
  /**
   * Whether an approval counts only while the approver is among `users.reviewers`. Requires the option `users`.
   * @defaultValue `false`
   */
  readonly recheckApprovers?: boolean
  /**
   * How long an approval counts, in milliseconds; from 60,000 to 100 years. An older one must be given again before the change request
   * is applied.
   * @defaultValue none: approvals do not expire
   */
  readonly approvalsExpireAfterMs?: number | null
  /**
   * Whether change requests can change segments of all projects or of another project. Only reviewers of the change
   * request's own project approve the change.
   * @defaultValue `false`
   */
  readonly globalSegments?: boolean
  /**
   * Whether holders of SKIP_CHANGE_REQUEST can apply an urgent change request before it is approved, with a reason. The log
   * stores what was missing, and another user acknowledges the apply.
   * @defaultValue `false`
   */
  readonly emergency?: boolean
  /**
   * Whether reviewers can object to a change request, which blocks applying it, and take back their approvals. Turn it on once
   * all processes run a release that has it. Stored objections block whatever the option is.
   * @defaultValue `false`
   */
  readonly objections?: boolean
  /**
   * With `refuse`, applying and scheduling are 409 if a change would overwrite a newer edit; with `allow` they are not. Requires
   * the option `flags`.
   * @defaultValue `'refuse'`
   */
  readonly overwrites?: 'refuse' | 'allow'
  /**
   * Whether votes and applies require a `digest` in the body, or `If-Match`. Without either they are 428. Clients written for
   * Unleash send neither.
   * @defaultValue `false`
   */
  readonly requireRevision?: boolean
  /**
   * Whether the event of an apply has the approvals that counted, the requirements, and a digest of the rules, checks and
   * freezes; false for clients that compare events byte for byte.
   * @defaultValue `true`
   */
  readonly applyTrace?: boolean
  /**
   * Whether events have the comment of their step: approving, rejecting, cancelling, scheduling and applying. Sending to review and
   * applying also have the title that a user set. The log is never changed: a text stays in it after its comment is deleted.
   * @defaultValue `false`
   */
  readonly logComments?: boolean
  /**
   * Who can set the title and request approvers: the author and an ADMIN, or anyone who can create or approve change requests
   * there.
   * @defaultValue `'author'`
   */
  readonly editDetails?: 'author' | 'anyone'
  /**
   * Whether change requests can be scheduled, and who applies them when they are due: this process after `router.start()`
   * (`here`), or another process with `here` on the same database (`elsewhere`).
   * @defaultValue `'off'`
   */
  readonly schedule?: 'off' | 'here' | 'elsewhere'
  /**
   * The prefix of every path of the router, after the mount path. With
   * `app.use('/api/admin', router)` set it to `''`.
   * @defaultValue `'/api/admin'`
   */
  readonly basePath?: string
  /**
   * Which names of flags are accepted: URL-friendly ones (`url`), or nearly any text of at most 100 characters (`any`), such as
   * `team/checkout`. All processes of a database need the same.
   * @defaultValue `'url'`
   */
  readonly featureNames?: 'url' | 'any'
  /**
   * Whether change requests are enabled in environments without settings, or a function that returns it for one of them.
   * @defaultValue `true`
   */
  readonly changeRequestsEnabled?: SettingOrFunction<boolean>
  /**
   * The number of approvals that a change request needs in environments without settings, 1 to 10, or a function that returns
   * it for one of them.
   * @defaultValue `1`
   */
  readonly requiredApprovals?: SettingOrFunction<number>
  /**
   * Limits on requests and durations.
   * @defaultValue the defaults of {@link Limits}
   */
  readonly limits?: Partial<Limits>
  /**
   * Whether single change requests have `stateTimestamps`; false for clients written for Unleash before 7.2.
   * @defaultValue `true`
   */
  readonly stateTimestamps?: boolean
  /**
   * Whether users without an `imageUrl` get the URL of a Gravatar; with false it is null.
   * @defaultValue `true`
   */
  readonly gravatar?: boolean
  /**
   * Whether events store the IP address of the caller, as in `req.ip`.
   * @defaultValue `false`
   */
  readonly recordIp?: boolean
  /**
   * The address of the review page, such as `https://flags.example/review`, or its path. Summaries of events, reviews, the gate,
   * Slack, Teams and the command line link to it.
   * @defaultValue `''`
   */
  readonly pageUrl?: string
  /**
   * The addresses of flags and projects in your app, for the links in summaries: `flag` with the placeholders `{project}` and
   * `{flag}`, `project` with `{project}`. Names are URL-encoded.
   * @defaultValue the review page
   */
  readonly links?: LinkTemplates
  /**
   * `respond` sends error responses, `next` passes errors to your error handler.
   * @defaultValue `'respond'`
   */
  readonly errors?: 'respond' | 'next'
  /**
   * Receives warnings and errors; works with pino and console. `false` logs nothing.
   * @defaultValue warnings and errors to the console, one line each
   */
  readonly logger?: Logger | false
  /**
   * Metrics and traces with OpenTelemetry: with true by the global providers. Requires the package `@opentelemetry/api`.
   * @defaultValue `false`
   */
  readonly telemetry?: boolean | TelemetryOptions
  /**
   * Returns the current time.
   * @defaultValue the clock of the machine
   */
  readonly clock?: () => Date
}

/** All options with their defaults. */
export type ResolvedOptions = Required<Omit<ChangeRequestRouterOptions, 'limits' | 'logger'>> & {
  readonly limits: Limits
  readonly logger: Logger
}
