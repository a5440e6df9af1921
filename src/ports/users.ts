/** A user of your app, with their current names. */
export interface User {
  /** A positive integer, the same as in {@link Actor.id}. */
  readonly id: number
  /** The e-mail address; an empty string counts as absent, here and below. */
  readonly email?: string | null
  /** The login name. */
  readonly username?: string | null
  /** The full name. Responses show it if it is set, else the e-mail address, else the username. */
  readonly name?: string | null
  /** Absolute URL of a picture. */
  readonly imageUrl?: string | null
  /**
   * The kind of the user, as in {@link Actor.kind}. Machines are not listed as reviewers, and cannot be requested as approvers.
   * @defaultValue `person`
   */
  readonly kind?: 'person' | 'service' | 'agent' | null
  /** Names of the user's groups, to check whether enough users could meet an approval rule. Left out: unknown. */
  readonly groups?: readonly string[]
}

/**
 * The users of your app. Without it no user can be requested as an approver, and names are shown as stored. If a method
 * throws, the response is 503 UnavailableError.
 *
 * @example
 * ```ts
 * const users: UserDirectory = {
 *   find: (ids) => knex('users').whereIn('id', ids),
 *   reviewers: (project) => knex('users').where({ team: project, role: 'reviewer' }),
 * }
 * ```
 */
export interface UserDirectory {
  /** Returns those of the users who still exist. */
  find(ids: readonly number[]): Promise<Iterable<User>> | Iterable<User>
  /** Returns the users who can approve in the project and environment. */
  reviewers(project: string, environment: string): Promise<Iterable<User>> | Iterable<User>
}
