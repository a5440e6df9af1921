/** The headers that authenticate a request. */
export type Credentials = Readonly<Record<string, string>>

/**
 * The callers of the rules: six different users, and an API key without a user. Each has the permissions listed here and no
 * others.
 */
export interface Callers {
  /** CREATE_, APPROVE_ and APPLY_CHANGE_REQUEST in the project and environment. */
  readonly author: Credentials
  /** APPROVE_ and APPLY_CHANGE_REQUEST in the project and environment. */
  readonly reviewer: Credentials
  /** The same permissions as the reviewer, but another user. */
  readonly reviewer2: Credentials
  /** ADMIN. */
  readonly admin: Credentials
  /** READ_CHANGE_REQUEST in the project. */
  readonly reader: Credentials
  /** A user without any permission. */
  readonly nobody: Credentials
  /** ADMIN, but no user: the API key of a machine. */
  readonly token: Credentials
}

export type Caller = keyof Callers

/**
 * A server with the router mounted. It must be able to apply, with a flag gateway or with `recordOnly`, and `editDetails`
 * must be `'author'`. It may have other change requests, and one server may serve all rules. The rules cancel the open change
 * requests of their callers, leave closed change requests and events behind, and set one required approval at the end.
 */
export interface HttpHost {
  /** The address of the router with its base path, such as `http://127.0.0.1:3000/api/admin`. */
  readonly url: string
  /** The users that the server knows. */
  readonly callers: Callers
  /** A project that only the rules use. */
  readonly project: string
  /** An environment of that project; the rules change its settings. */
  readonly environment: string
  /** A second project that exists; its content does not matter. */
  readonly otherProject: string
  /** A flag of the project that can be switched on and off in the environment. */
  readonly feature: string
  /**
   * A flag for which the host app has one approval rule: one approval, which `reviewer2` can give and `reviewer` cannot.
   * Without it, CR-431 to CR-435 check that the review has no requirement except the minimum.
   * @defaultValue none
   */
  readonly ruled?: { readonly feature: string; readonly rule: string }
  /**
   * A flag that one freeze of the host app matches, and no approval rule; the freeze is in force. Without it, CR-496 to CR-498
   * check that the flag is not frozen.
   * @defaultValue none
   */
  readonly frozen?: { readonly feature: string; readonly freeze: string }
  /**
   * A flag with one required check of the host app, which `reviewer` can report, and without an approval rule. Without it, CR-541 to
   * CR-544 check that the review has no check.
   * @defaultValue none
   */
  readonly checked?: { readonly feature: string; readonly check: string }
  /**
   * Whether the option `emergency` is on. If not, CR-441 to CR-447 check that an emergency is rejected.
   * @defaultValue `false`
   */
  readonly emergency?: boolean
  /**
   * Whether the option `objections` is on. If not, CR-531 to CR-535 check that nobody can object.
   * @defaultValue `false`
   */
  readonly objections?: boolean
  /**
   * Whether a body parser of the host app runs before the router, which then never receives malformed JSON. If so, CR-014
   * accepts any 4xx instead of a 400 `BadDataError`, and CR-901 sends no malformed JSON. The other rules do not change.
   * @defaultValue `false`
   */
  readonly parsesBodies?: boolean
  /**
   * Whether the host app has the option `playground` with a hook that handles every change request. If not, CR-451 to CR-453
   * accept only 404.
   * @defaultValue `false`
   */
  readonly playground?: boolean
  /**
   * Applies due change requests, as `router.runDue()` does. Absent if there is no scheduler; then CR-361 is the only checked
   * rule for schedules.
   */
  readonly runDue?: () => Promise<unknown>
  /**
   * A route of the host app behind `router.gate` that writes the flag in the environment. If change requests are disabled,
   * the author and the admin can use it. `proposes` is true if the gate has the option `propose`. Without the route, CR-481
   * to CR-485 check nothing.
   * @defaultValue none
   */
  readonly gated?: {
    readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
    readonly url: string
    readonly body?: unknown
    readonly proposes?: boolean
  }
  /**
   * Sends the requests.
   * @defaultValue the `fetch` of Node.js
   */
  readonly fetch?: typeof fetch
  /** Called after each rule, passed or failed. */
  close(): Promise<void>
}
