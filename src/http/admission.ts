import type { Request, Response } from 'express'
import { ChangeRequestError } from '../errors'
import { callHook } from '../kernel/hooks'
import { toActor } from '../kernel/people/author'
import { holds, requirePermission } from '../kernel/permissions'
import type { Services } from '../kernel/services'
import type { Actor, Authenticate, Permission, Scope } from '../ports/access'
import { type GuardLimits, guardBody } from '../validation/core/guard'
import { checkContentType, type ReadBody } from './body'
import { pathScope, type RequestContext } from './request-context'
import type { Route } from './route'

/** What every request is checked with. */
export interface Admission {
  readonly services: Services
  readonly authenticate: Authenticate
  /** Whether callers send a key in the header Authorization; otherwise only the host knows how they sign in. */
  readonly byKey: boolean
  readonly readBody: ReadBody
  readonly guard: GuardLimits
}

/** A request that may reach its operation. */
export type Admitted = Pick<RequestContext, 'caller' | 'scope' | 'body'>

/** The checks of contract 11.4 in their order, up to the structure of the body. */
export async function admit(route: Route, admission: Admission, req: Request, res: Response): Promise<Admitted> {
  const actor = await identify(admission, req)
  const scope = (route.scope ?? pathScope)(req)
  await requireAnyPermission(admission, actor, route.permissions, scope)
  if (req.params.projectId !== undefined) await requireKnownProject(admission, scope)
  let body: unknown
  if (route.body !== undefined) {
    checkContentType(req)
    body = await admission.readBody(req, res)
    guardBody(body, admission.guard)
  }
  return { caller: { actor, ip: req.ip, ifMatch: req.get('if-match') }, scope, body }
}

/** Who calls. @throws AuthenticationRequired or UnauthorizedError for an unknown caller. */
export async function identify(
  { authenticate, byKey, services }: Pick<Admission, 'authenticate' | 'byKey' | 'services'>,
  req: Request,
): Promise<Actor> {
  const actor = toActor(await callHook(services, 'authenticate', () => authenticate(req)))
  if (actor !== null) return actor
  throw req.headers.authorization === undefined
    ? new ChangeRequestError(
        'AuthenticationRequired',
        byKey ? 'Send your key in the header Authorization.' : 'Sign in first.',
      )
    : new ChangeRequestError(
        'UnauthorizedError',
        byKey ? 'The key in the header Authorization is not known.' : 'You are not known here. Sign in first.',
      )
}

/** One of them is enough; the refusal names the first. */
async function requireAnyPermission(
  { services }: Admission,
  actor: Actor,
  anyOf: readonly Permission[],
  scope: Scope,
): Promise<void> {
  const [first, ...others] = anyOf
  for (const permission of others) if (await holds(services, actor, permission, scope)) return
  if (first !== undefined) await requirePermission(services, actor, first, scope)
}

/** @throws NotFoundError unless the host knows the project and the environment. */
export async function requireKnownProject(
  { services }: Pick<Admission, 'services'>,
  { project, environment }: Scope,
): Promise<void> {
  const { directory } = services
  if (project === undefined || directory.hasProject === undefined) return
  const known = await callHook(services, 'directory.hasProject', () => directory.hasProject?.(project, environment))
  if (known === true) return
  throw new ChangeRequestError(
    'NotFoundError',
    environment === undefined
      ? `There is no project ${project}.`
      : `There is no project ${project} with an environment ${environment}.`,
  )
}
