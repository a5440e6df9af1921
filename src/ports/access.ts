import type { Request } from 'express'

/**
 * The caller of a request, as your {@link Authenticate} returns it. Your {@link Authorize} receives the same object, with
 * its type, so you can add properties of your own.
 */
export interface Actor {
  /**
   * The id of a user: a positive integer, because clients of this API expect a number. If your ids are UUIDs or other
   * strings, store a number for each user; it must never change, nor be assigned to another user. Null for a key without
   * a user, such as an admin token (-42 in Unleash): it can read, but not create, edit, vote, apply or comment. For any
   * other id the response is 500, and the logger receives the id.
   */
  readonly id: number | null
  /** The login name; the author of events if there is no e-mail address. */
  readonly username?: string | null
  /**
   * The full name. Responses show it if it is set, else the e-mail address, else the username. An empty string counts as
   * absent in all three.
   */
  readonly name?: string | null
  /** The e-mail address; the author of events, and the source of a Gravatar if there is no `imageUrl`. */
  readonly email?: string | null
  /** Absolute URL of a picture. */
  readonly imageUrl?: string | null
  /** Names of the user's groups. */
  readonly groups?: readonly string[]
  /** Permissions, for the built-in authorizer only. */
  readonly grants?: readonly Grant[]
  /**
   * `service` for a program with fixed work, such as a CI job, and `agent` for an AI agent: machines, which propose and apply,
   * but never review. For any other value the response is 500, and the logger receives it.
   * @defaultValue `person`
   */
  readonly kind?: 'person' | 'service' | 'agent' | null
  /**
   * The person for whom a machine acts. They count as an author of what it proposes, so they cannot approve it. Only for a
   * machine, and never its own id; otherwise the response is 500.
   */
  readonly onBehalfOf?: { readonly id: number; readonly username?: string | null } | null
}

/** One permission of an actor, for the built-in authorizer: everywhere, in a project or in an environment. */
export interface Grant {
  /** A {@link Permission}, or `UPDATE_PROJECT`, which implies both permissions for settings; others have no effect. */
  readonly permission: Permission | 'UPDATE_PROJECT' | (string & {})
  /** Left out: all projects and the instance. */
  readonly project?: string
  /** Left out: all environments. */
  readonly environment?: string
}

/** Where a permission is needed: in an environment, in a project, or for the whole instance. */
export interface Scope {
  /** Left out: the instance. */
  readonly project?: string
  /** Left out: the whole project. */
  readonly environment?: string
}

/** What is wrong with the kind of an actor or with the person for whom it acts; undefined for nothing. */
export function problemOfKind(actor: object): { property: string; value: unknown; expected: string } | undefined {
  const { id, kind, onBehalfOf } = actor as { id?: unknown; kind?: unknown; onBehalfOf?: unknown }
  if (kind != null && !kinds.includes(kind)) {
    return { property: 'kind', value: kind, expected: `one of ${kinds.join(', ')}, or left out` }
  }
  if (onBehalfOf == null) return undefined
  const invalid = (expected: string) => ({ property: 'onBehalfOf', value: onBehalfOf, expected })
  if (kind == null || kind === 'person') return invalid('left out: a person acts for nobody')
  const { id: person, username } = onBehalfOf as { id?: unknown; username?: unknown }
  const isId = Number.isSafeInteger(person) && (person as number) > 0
  if (!isId || !(username == null || typeof username === 'string')) {
    return invalid('an object with a positive integer as id, and a username or none')
  }
  return person === id ? invalid('another user than the machine itself') : undefined
}

const kinds: readonly unknown[] = ['person', 'service', 'agent']

/** All permissions (contract 7.1). */
export const permissions = [
  'READ_CHANGE_REQUEST',
  'CREATE_CHANGE_REQUEST',
  'APPROVE_CHANGE_REQUEST',
  'APPLY_CHANGE_REQUEST',
  'SKIP_CHANGE_REQUEST',
  'REPORT_CHECK',
  'PROJECT_CHANGE_REQUEST_READ',
  'PROJECT_CHANGE_REQUEST_WRITE',
  'READ_EVENTS',
  'ADMIN',
] as const

/** The permissions that a grant can have: `UPDATE_PROJECT` implies the two permissions for settings (contract 7.1). */
export const grantable: readonly string[] = [...permissions, 'UPDATE_PROJECT']

/** A permission that your {@link Authorize} decides on. */
export type Permission = (typeof permissions)[number]

/**
 * Your hook that returns the caller of a request. For null the response is 401, with the header `WWW-Authenticate` that you
 * have set on `req.res`, else with `Custom`.
 *
 * @throws ChangeRequestError such as a ForbiddenError, which becomes the response. For any other error the response is 503
 * UnavailableError; the caller never counts as anonymous.
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
 * Your hook that decides whether an actor has a permission. Only `true` allows; any other value denies. It receives the
 * object that {@link Authenticate} returned.
 *
 * @throws ChangeRequestError which becomes the response. For any other error the response is 503 UnavailableError.
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
