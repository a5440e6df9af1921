/**
 * A person as your app knows them now.
 *
 * @example
 * ```ts
 * const ben: User = { id: 2, email: 'ben@example.com', name: 'Ben Ode' }
 * ```
 */
export interface User {
  /** A positive integer, the same as in {@link Actor.id}. */
  readonly id: number
  /** The e-mail address; an empty text counts as none, here and below. */
  readonly email?: string | null
  /** The name to sign in with. */
  readonly username?: string | null
  /** The full name; shown before the e-mail address and the username, the first of them that there is. */
  readonly name?: string | null
  /** An absolute address of a picture. */
  readonly imageUrl?: string | null
}

/**
 * The people of your app. Without it nobody can be requested as an approver, and names are shown as stored. A throw is
 * answered with 503 UnavailableError.
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
  /** Of these people, those whom the host still knows. */
  find(ids: readonly number[]): Promise<Iterable<User>> | Iterable<User>
  /** Who may approve in the project and environment. */
  reviewers(project: string, environment: string): Promise<Iterable<User>> | Iterable<User>
}
