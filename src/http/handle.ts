import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { ChangeRequestError } from '../errors'
import { toChangeRequestError } from '../operations/failures'
import type { Actor, Authenticate, Authorize, Permission, Scope } from '../ports/access'
import type { Logger } from '../ports/logger'
import { type GuardLimits, guardBody } from '../validation/guard'
import { checkContentType, type ReadBody } from './body'
import type { Call } from './call'
import { toErrorReply } from './errors'
import { sendStream } from './event-stream'
import type { Reply } from './reply'
import type { Route, RouteServices } from './routes'

/** What stands round every route. */
export interface Edge {
  readonly services: RouteServices
  readonly authenticate: Authenticate
  readonly authorize: Authorize
  readonly readBody: ReadBody
  readonly guard: GuardLimits
  readonly logger: Logger
  /** `next` hands errors to the error handler of the host. */
  readonly errors: 'respond' | 'next'
  readonly streamTimeoutMs: number
}

/** A route as Express calls it. Every request is answered, or handed on by `next`, exactly once. */
export function createHandler(route: Route, edge: Edge): RequestHandler {
  return (req, res, next) => {
    answer(route, edge, req, res).catch((error: unknown) => fail(toChangeRequestError(error), edge, req, res, next))
  }
}

/** An error that Express met on one of our paths, such as a broken escape in it. */
export function createErrorHandler(edge: Edge) {
  return (error: unknown, req: Request, res: Response, next: NextFunction): void => {
    const status = (error as { status?: unknown } | null)?.status
    const malformed = status === 400 ? new ChangeRequestError('BadDataError', 'The path is malformed.') : error
    fail(toChangeRequestError(malformed), edge, req, res, next)
  }
}

async function answer(route: Route, edge: Edge, req: Request, res: Response): Promise<void> {
  const call = await admit(route, edge, req, res)
  const reply = await route.run(call, edge.services)
  await send(reply, req, res, edge.streamTimeoutMs)
}

/** The checks of contract 11.4 in their order, up to the body. */
async function admit(route: Route, edge: Edge, req: Request, res: Response): Promise<Call> {
  const actor = await identify(edge, req)
  const scope = route.scope(req)
  await checkPermission(edge, actor, route.permission, scope)
  if (req.params.projectId !== undefined) await checkKnown(edge, scope)
  let body: unknown
  if (route.body !== undefined) {
    checkContentType(req)
    body = await edge.readBody(req, res)
    guardBody(body, edge.guard)
  }
  return { actor, scope, body, ip: req.ip, header: (name) => req.get(name) }
}

async function identify({ authenticate }: Edge, req: Request): Promise<Actor> {
  const actor = await asked('authenticate', () => authenticate(req))
  if (actor !== null && typeof actor === 'object') return actor
  throw req.headers.authorization === undefined
    ? new ChangeRequestError('AuthenticationRequired', 'Send your key in the header Authorization.')
    : new ChangeRequestError('UnauthorizedError', 'The key in the header Authorization is not known.')
}

async function checkPermission({ authorize }: Edge, actor: Actor, permission: Permission, scope: Scope): Promise<void> {
  // Only true itself: a hook that answers a promise of an object by mistake must not open the door.
  if ((await asked('authorize', () => authorize(actor, permission, scope))) === true) return
  const place = [
    scope.project === undefined ? '' : ` in project ${scope.project.slice(0, 100)}`,
    scope.environment === undefined ? '' : ` and environment ${scope.environment}`,
  ].join('')
  throw new ChangeRequestError('PermissionError', `You need the permission ${permission}${place}.`, {
    permissions: [permission],
  })
}

async function checkKnown({ services }: Edge, { project, environment }: Scope): Promise<void> {
  const { directory } = services
  if (project === undefined || directory.hasProject === undefined) return
  if ((await asked('directory.hasProject', () => directory.hasProject?.(project, environment))) === true) return
  throw new ChangeRequestError(
    'NotFoundError',
    environment === undefined
      ? `There is no project ${project}.`
      : `There is no project ${project} with an environment ${environment}.`,
  )
}

/** A hook of the host that fails says nothing about the caller: 503, never a yes or a no. */
async function asked<Value>(hook: string, ask: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await ask()
  } catch (error) {
    if (ChangeRequestError.is(error)) throw error
    throw new ChangeRequestError('UnavailableError', `The request could not be checked (${hook}). Try again.`, {
      cause: error,
    })
  }
}

async function send(reply: Reply, req: Request, res: Response, streamTimeoutMs: number): Promise<void> {
  if (reply.stream === undefined || req.method === 'HEAD') return write(reply, req, res)
  writeHead(reply, res)
  await sendStream(res, reply.stream, streamTimeoutMs)
}

function write(reply: Reply, req: Request, res: Response): void {
  writeHead(reply, res)
  if (reply.body !== undefined) res.setHeader('Content-Length', Buffer.byteLength(reply.body))
  res.end(req.method === 'HEAD' ? undefined : reply.body)
}

function writeHead(reply: Reply, res: Response): void {
  res.statusCode = reply.status
  res.setHeader('X-Content-Type-Options', 'nosniff')
  for (const [name, value] of Object.entries(reply.headers)) {
    if (name === 'Vary') res.vary(value)
    else res.setHeader(name, value)
  }
  if (reply.type !== undefined) res.setHeader('Content-Type', reply.type)
}

function fail(error: ChangeRequestError, edge: Edge, req: Request, res: Response, next: NextFunction): void {
  if (res.headersSent) {
    edge.logger.error({ err: error.cause ?? error, method: req.method }, 'An answer broke off half-way.')
    // A cut list must not look complete.
    res.destroy()
    return
  }
  res.removeHeader('ETag')
  if (edge.errors === 'next') next(error)
  else write(toErrorReply(error, req, edge.logger), req, res)
}
