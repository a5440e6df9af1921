import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { ChangeRequestError } from '../errors'
import { callHook } from '../operations/call-hook'
import { toChangeRequestError } from '../operations/failures'
import { type createOnce, type KeyedCall, toKeyedCall } from '../operations/idempotency'
import { holds, requirePermission } from '../operations/permissions'
import type { Actor, Authenticate, Permission, Scope } from '../ports/access'
import type { Logger } from '../ports/logger'
import { type GuardLimits, guardBody } from '../validation/guard'
import { checkContentType, type ReadBody } from './body'
import { type Call, createCall, createKept } from './call'
import { toErrorReply } from './errors'
import { sendStream } from './event-stream'
import type { Reply } from './reply'
import type { Route, RouteServices } from './routes/route'

/** What stands round every route. */
export interface Edge {
  readonly services: RouteServices
  readonly authenticate: Authenticate
  readonly once: ReturnType<typeof createOnce>
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
    answer(route, edge, req, res).catch((error: unknown) =>
      fail(toChangeRequestError(edge.services.storage, error), edge, req, res, next),
    )
  }
}

/** An error that Express met on one of our paths, such as a broken escape in it. */
export function createErrorHandler(edge: Edge) {
  return (error: unknown, req: Request, res: Response, next: NextFunction): void => {
    const status = (error as { status?: unknown } | null)?.status
    const malformed = status === 400 ? new ChangeRequestError('BadDataError', 'The path is malformed.') : error
    fail(toChangeRequestError(edge.services.storage, malformed), edge, req, res, next)
  }
}

async function answer(route: Route, edge: Edge, req: Request, res: Response): Promise<void> {
  const { services } = edge
  const call = await admit(route, edge, req, res)
  const keyed = route.idempotent === true ? keyedCall(edge, req, call) : undefined
  if (keyed !== undefined) route.check?.(call.body, services)
  const run = () => route.run({ ...call, kept: createKept(keyed) }, services)
  const reply = await (keyed === undefined ? run() : edge.once(keyed, run, replayed))
  await send(reply, req, res, edge.streamTimeoutMs)
}

/** The checks of contract 11.4 in their order, up to the body. */
async function admit(route: Route, edge: Edge, req: Request, res: Response): Promise<Omit<Call, 'kept'>> {
  const actor = await identify(edge, req)
  const scope = route.scope(req)
  await checkPermissions(edge, actor, route.permissions, scope)
  if (req.params.projectId !== undefined) await checkKnown(edge, scope)
  let body: unknown
  if (route.body !== undefined) {
    checkContentType(req)
    body = await edge.readBody(req, res)
    guardBody(body, edge.guard)
  }
  return { ...createCall(req, actor, scope), body }
}

async function identify({ authenticate, services }: Edge, req: Request): Promise<Actor> {
  const actor = await callHook(services, 'authenticate', () => authenticate(req))
  if (actor !== null && typeof actor === 'object') return actor
  throw req.headers.authorization === undefined
    ? new ChangeRequestError('AuthenticationRequired', 'Send your key in the header Authorization.')
    : new ChangeRequestError('UnauthorizedError', 'The key in the header Authorization is not known.')
}

/** One of them is enough; the refusal names the first. */
async function checkPermissions({ services }: Edge, actor: Actor, anyOf: readonly Permission[], scope: Scope) {
  const [first, ...others] = anyOf
  for (const permission of others) if (await holds(services, actor, permission, scope)) return
  if (first !== undefined) await requirePermission(services, actor, first, scope)
}

async function checkKnown({ services }: Edge, { project, environment }: Scope): Promise<void> {
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

/** Undefined for a call without a key, or by nobody whom a key could belong to. */
function keyedCall({ services }: Edge, req: Request, { actor, body }: Omit<Call, 'kept'>): KeyedCall | undefined {
  const key = req.get('idempotency-key')
  if (key === undefined || actor.id === null) return undefined
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new ChangeRequestError('BadDataError', 'An Idempotency-Key has 1 to 255 visible ASCII characters.')
  }
  const path = `${req.baseUrl}${req.path}`
  return toKeyedCall(services, { userId: actor.id, key, method: req.method, path, body })
}

function replayed({
  status,
  headers,
  body,
}: {
  status: number
  headers: Readonly<Record<string, string>>
  body: string
}) {
  return { status, headers: { ...headers, 'Idempotency-Replayed': 'true' }, ...(status === 204 ? {} : { body }) }
}

async function send(reply: Reply, req: Request, res: Response, streamTimeoutMs: number): Promise<void> {
  if (reply.stream === undefined || req.method === 'HEAD') return write(reply, req, res)
  if (reply.onClose !== undefined) res.once('close', reply.onClose)
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
