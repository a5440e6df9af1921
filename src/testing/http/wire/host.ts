/**
 * The headers that make a request be one of somebody.
 *
 * @example
 * ```ts
 * const ann: Credentials = { Authorization: 'user:4f1c' }
 * ```
 */
export type Credentials = Readonly<Record<string, string>>

/**
 * Who the rules call as: six different people, and a key without one. Nobody holds more than what stands here.
 *
 * @example
 * ```ts
 * const as = (name: string): Credentials => ({ Authorization: `user:${name}` })
 * const callers: Callers = {
 *   author: as('author'),
 *   reviewer: as('reviewer'),
 *   reviewer2: as('reviewer2'),
 *   admin: as('admin'),
 *   reader: as('reader'),
 *   nobody: as('nobody'),
 *   token: as('token'),
 * }
 * ```
 */
export interface Callers {
  /** CREATE_, APPROVE_ and APPLY_CHANGE_REQUEST in the project and environment. */
  readonly author: Credentials
  /** APPROVE_ and APPLY_CHANGE_REQUEST in the project and environment. */
  readonly reviewer: Credentials
  /** The same as the reviewer, but another person. */
  readonly reviewer2: Credentials
  /** ADMIN. */
  readonly admin: Credentials
  /** READ_CHANGE_REQUEST in the project. */
  readonly reader: Credentials
  /** A person without any permission. */
  readonly nobody: Credentials
  /** ADMIN, but no person: a key that stands for a machine. */
  readonly token: Credentials
}

export type Caller = keyof Callers

/**
 * A server with the router mounted, as the rules need it. It must be able to apply: with a flag gateway, or with
 * `recordOnly`; `editDetails` has to be `'author'`. It may be full of change requests, and may be handed out again for
 * every rule; the rules cancel what their callers have open, leave closed change requests and events behind, and end with
 * one required approval.
 *
 * @example
 * ```ts
 * const host = (callers: Callers): HttpHost => ({
 *   url: 'http://127.0.0.1:3000/api/admin',
 *   callers,
 *   project: 'contract',
 *   environment: 'development',
 *   otherProject: 'default',
 *   feature: 'contract-flag',
 *   close: async () => {},
 * })
 * ```
 */
export interface HttpHost {
  /** Where the router answers, its base path included, such as `http://127.0.0.1:3000/api/admin`. */
  readonly url: string
  /** The people, as the server knows them. */
  readonly callers: Callers
  /** A project for the rules alone. */
  readonly project: string
  /** An environment of that project; the settings of the rules are made there. */
  readonly environment: string
  /** A second project that is known, whatever it holds. */
  readonly otherProject: string
  /** A flag of the project that can be switched on and off in the environment. */
  readonly feature: string
  /**
   * True where a body parser of the host runs before the router, which then never sees malformed JSON: CR-014 takes any
   * 4xx for it in place of a 400 `BadDataError`, and CR-901 sends none. All other rules hold either way.
   * @defaultValue `false`
   */
  readonly parsesBodies?: boolean
  /**
   * Sends the requests.
   * @defaultValue the `fetch` of Node.js
   */
  readonly fetch?: typeof fetch
  /** Called once a rule is through, whatever became of it. */
  close(): Promise<void>
}
