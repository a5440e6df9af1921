import type { Request } from 'express'

/**
 * Who calls, as your {@link Authenticate} tells it. What you put into it beyond these properties reaches your
 * {@link Authorize} untouched, with its type.
 *
 * @example
 * ```ts
 * const ann: Actor = { id: 1, username: 'ann', email: 'ann@example.com', grants: [{ permission: 'ADMIN' }] }
 *
 * interface Member extends Actor {
 *   readonly teams: readonly string[]
 * }
 * const ben: Member = { id: 2, username: 'ben', teams: ['payments'] }
 * ```
 */
export interface Actor {
  /**
   * The id of a real person: a positive integer, since clients of this interface expect a number. If your ids are UUIDs
   * or other texts, keep a number for each user and give that one; it must never change and never go to somebody else.
   * Null for a key without a person behind it, an admin token (-42 in Unleash) included: it may read but not create,
   * edit, vote, apply or comment. Any other id is answered with 500, and the log names it.
   */
  readonly id: number | null
  /** The name to sign in with; signs events where there is no e-mail address. */
  readonly username?: string | null
  /**
   * The full name; shown with what the person did, before the e-mail address and the username. Of these three an empty
   * text counts as none.
   */
  readonly name?: string | null
  /** The e-mail address; signs events, and makes the address of a gravatar where no picture is given. */
  readonly email?: string | null
  /** An absolute address of a picture. */
  readonly imageUrl?: string | null
  /** Read by the built-in authorizer only. */
  readonly grants?: readonly Grant[]
}

/**
 * What the built-in authorizer allows an actor: one permission, everywhere or in one place.
 *
 * @example
 * ```ts
 * const grants: Grant[] = [
 *   { permission: 'READ_EVENTS' },
 *   { permission: 'CREATE_CHANGE_REQUEST', project: 'shop' },
 *   { permission: 'APPROVE_CHANGE_REQUEST', project: 'shop', environment: 'production' },
 * ]
 * ```
 */
export interface Grant {
  /** One of {@link Permission}, or `UPDATE_PROJECT`, which opens the settings; others open nothing. */
  readonly permission: string
  /** Left out: all projects and the instance. */
  readonly project?: string
  /** Left out: all environments. */
  readonly environment?: string
}

/**
 * Where a permission is asked for; without a project it is the whole instance.
 *
 * @example
 * ```ts
 * const instance: Scope = {}
 * const production: Scope = { project: 'shop', environment: 'production' }
 * ```
 */
export interface Scope {
  /** Left out: the instance. */
  readonly project?: string
  /** Left out: the project as a whole. */
  readonly environment?: string
}

/** Every permission there is (contract 7.1). */
export const permissions = [
  'READ_CHANGE_REQUEST',
  'CREATE_CHANGE_REQUEST',
  'APPROVE_CHANGE_REQUEST',
  'APPLY_CHANGE_REQUEST',
  'SKIP_CHANGE_REQUEST',
  'PROJECT_CHANGE_REQUEST_READ',
  'PROJECT_CHANGE_REQUEST_WRITE',
  'READ_EVENTS',
  'ADMIN',
] as const

/**
 * The permissions that your {@link Authorize} may be asked for.
 *
 * @example
 * ```ts
 * const permission: Permission = 'APPROVE_CHANGE_REQUEST'
 * ```
 */
export type Permission = (typeof permissions)[number]

/**
 * Your hook that tells who sent a request; null when nobody known did, which is answered with 401. That answer carries the
 * header `WWW-Authenticate` if you have set one on `req.res`, else `Custom`.
 *
 * @throws ChangeRequestError is answered as it is, such as a ForbiddenError. Any other throw is answered with 503
 * UnavailableError, never taken for an anonymous caller.
 *
 * @example
 * ```ts
 * const authenticate: Authenticate = (req) => (req.get('x-user') === 'ann' ? { id: 1, username: 'ann' } : null)
 * ```
 */
export type Authenticate<HostActor extends Actor = Actor> = (
  req: Request,
) => HostActor | null | Promise<HostActor | null>

/**
 * Your hook that tells whether the actor has the permission there; only `true` itself is a yes. It gets the very object
 * that {@link Authenticate} answered.
 *
 * @throws ChangeRequestError is answered as it is. Any other throw is answered with 503 UnavailableError.
 *
 * @example
 * ```ts
 * interface Member extends Actor {
 *   readonly teams: readonly string[]
 * }
 * const authorize: Authorize<Member> = ({ teams }, permission, { project }) =>
 *   permission === 'READ_CHANGE_REQUEST' || (project !== undefined && teams.includes(project))
 * ```
 */
export type Authorize<HostActor extends Actor = Actor> = (
  actor: HostActor,
  permission: Permission,
  scope: Scope,
) => boolean | Promise<boolean>
