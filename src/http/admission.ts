import type { Request } from 'express'
import { ChangeRequestError } from '../errors'
import { toActor } from '../kernel/host/author'
import { callHook } from '../kernel/host/hooks'
import { createPermissionCheck, type PermissionCheck, requirePermission } from '../kernel/host/permissions'
import type { Services } from '../kernel/services'
import type { Actor, Permission, Scope } from '../ports/access'
import { guardBody } from '../validation/core/guard'
import { pathScope, type RequestContext } from './request-context'
import type { Route } from './route'

export interface Admission {
  readonly services: Services
  /** Whether callers send an API key in the header Authorization. Otherwise the host app has its own sign-in. */
  readonly byKey: boolean
}

/** A call of a route: by a request to its path, or by a gate in front of a route of the host app. */
export interface RouteCall {
  readonly req: Request
  readonly actor: Actor
  /** Project and environment, if the path does not name them. */
  readonly place?: Scope
  readBody(): Promise<unknown>
  /** Called once the caller has the permission in the place, and the host app knows it. */
  readonly onAdmitted?: ((scope: Scope) => void) | undefined
}

/** A request that has passed all checks. */
export type Admitted = Pick<RequestContext, 'caller' | 'scope' | 'body'>

/** The checks of contract 11.4 in their order, from the permission to the structure of the body. */
export async function admit(route: Route, services: Services, call: RouteCall): Promise<Admitted> {
  const { req, actor, place } = call
  const scope = place ?? route.scope?.(req) ?? pathScope(req, services.options.featureNames)
  const hasPermission = createPermissionCheck(services, actor)
  await requireAnyPermission(hasPermission, route.permissions, scope)
  if (place !== undefined || req.params.projectId !== undefined) await requireKnownProject(services, scope)
  let body: unknown
  if (route.body !== undefined) {
    body = await call.readBody()
    const { bodyDepth: depth, bodyNodes: nodes } = services.options.limits
    guardBody(body, { depth, nodes })
  }
  return { caller: { actor, hasPermission, ip: req.ip, ifMatch: req.get('if-match') }, scope, body }
}

const unknownKey = 'The API key is unknown. Check the header Authorization.'

export async function identify({ services, byKey }: Admission, req: Request): Promise<Actor> {
  const actor = toActor(await callHook(services, 'authenticate', () => services.options.authenticate(req)))
  if (actor !== null) return actor
  throw req.headers.authorization === undefined
    ? new ChangeRequestError(
        'AuthenticationRequired',
        byKey ? 'Send your API key in the header Authorization.' : 'Sign in first.',
      )
    : new ChangeRequestError('UnauthorizedError', byKey ? unknownKey : 'Your credentials are not valid. Sign in again.')
}

/** Any of the permissions suffices; the error names the first. */
async function requireAnyPermission(hasPermission: PermissionCheck, anyOf: readonly Permission[], scope: Scope) {
  const [first, ...others] = anyOf
  for (const permission of others) if (await hasPermission(permission, scope)) return
  if (first !== undefined) await requirePermission(hasPermission, first, scope)
}

/** @throws NotFoundError unless the host app knows the project and the environment. */
async function requireKnownProject(services: Services, { project, environment }: Scope): Promise<void> {
  const { directory } = services
  if (project === undefined || directory.hasProject === undefined) return
  const known = await callHook(services, 'directory.hasProject', () => directory.hasProject?.(project, environment))
  if (known === true) return
  const missing = environment === undefined ? '' : `has no environment ${environment}, or `
  throw new ChangeRequestError('NotFoundError', `The project ${project} ${missing}does not exist.`)
}
