import type { Request } from 'express'

/**
 * Who calls. `id` is the id of a real person, a positive integer; a key without a person behind it (null) may read but
 * not create, edit, vote, apply or comment (contract 2.3).
 */
export interface Actor {
  readonly id: number | null
  readonly username?: string | null
  readonly name?: string | null
  readonly email?: string | null
  /** An absolute address of a picture. */
  readonly imageUrl?: string | null
  /** Read by the built-in authorizer only. */
  readonly grants?: readonly Grant[]
}

/** A permission in a project and environment; no project = all projects and the instance, no environment = all. */
export interface Grant {
  readonly permission: string
  readonly project?: string
  readonly environment?: string
}

/** Where a permission is asked for; without a project it is the instance. */
export interface Scope {
  readonly project?: string
  readonly environment?: string
}

/** The permissions that the router asks for (contract 7.1). */
export type Permission =
  | 'READ_CHANGE_REQUEST'
  | 'CREATE_CHANGE_REQUEST'
  | 'APPROVE_CHANGE_REQUEST'
  | 'APPLY_CHANGE_REQUEST'
  | 'SKIP_CHANGE_REQUEST'
  | 'PROJECT_CHANGE_REQUEST_READ'
  | 'PROJECT_CHANGE_REQUEST_WRITE'
  | 'READ_EVENTS'
  | 'ADMIN'

/**
 * Tells who sent a request; null when nobody known did, which is answered with 401. A throw is answered with 503, never
 * taken for an anonymous caller; a ChangeRequestError is answered as it is.
 */
export type Authenticate = (req: Request) => Actor | null | Promise<Actor | null>

/** Tells whether the actor has the permission there. A throw is answered with 503. */
export type Authorize = (actor: Actor, permission: Permission, scope: Scope) => boolean | Promise<boolean>
