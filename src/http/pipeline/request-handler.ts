import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { ChangeRequestError } from '../../errors'
import { findVisible } from '../../operations/change-requests/existing'
import { toActor } from '../../operations/people/author'
import { callHook } from '../../operations/runtime/call-hook'
import { toChangeRequestError } from '../../operations/runtime/failures'
import { type createOnce, type KeyedCall, recordOf, toKeyedCall } from '../../operations/runtime/idempotency'
import { holds, requirePermission } from '../../operations/runtime/permissions'
import type { Actor, Authenticate, Permission, Scope } from '../../ports/access'
import type { Logger } from '../../ports/logger'
import type { IdempotencyRecord } from '../../ports/storage'
import { type GuardLimits, guardBody } from '../../validation/core/guard'
import type { Idempotent, Route, RouteServices } from '../routes/route'
import { checkContentType, type ReadBody } from './body'
import { toErrorReply } from './errors'
import type { Reply } from './reply'
import { type Call, createCall } from './request-context'
import { sendStream } from './stream'

type Unkeyed = Omit<Call, 'idempotency'>

/** What stands round every route. */
export interface Edge {
  readonly services: RouteServices
  readonly authenticate: Authenticate
  /** Whether callers are known by a key in the header Authorization; otherwise only the host knows by what. */
  readonly byKey: boolean
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
  const { idempotent } = route
  const reply = await (idempotent === undefined
    ? route.run({ ...call, idempotency: undefined }, services)
    : runOnce(route, idempotent, edge, req, call))
  await send(reply, req, res, edge.streamTimeoutMs)
}

async function runOnce(route: Route, idempotent: Idempotent, edge: Edge, req: Request, call: Unkeyed): Promise<Reply> {
  const { services } = edge
  const keyed = keyedCall(edge, req, call)
  if (keyed === undefined) return route.run({ ...call, idempotency: undefined }, services)
  idempotent.check(call.body, services)
  return edge.once(
    keyed,
    () => route.run({ ...call, idempotency: recordOf(keyed, idempotent.kind) }, services),
    (record) => replay(services, idempotent, call.actor, record),
  )
}

/** The checks of contract 11.4 in their order, up to the body. */
async function admit(route: Route, edge: Edge, req: Request, res: Response): Promise<Unkeyed> {
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

async function identify({ authenticate, byKey, services }: Edge, req: Request): Promise<Actor> {
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
function keyedCall({ services }: Edge, req: Request, { actor, body }: Unkeyed): KeyedCall | undefined {
  const key = req.get('idempotency-key')
  if (key === undefined || actor.id === null) return undefined
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new ChangeRequestError('BadDataError', 'An Idempotency-Key has 1 to 255 visible ASCII characters.')
  }
  const path = `${req.baseUrl}${req.path}`
  return toKeyedCall(services, { userId: actor.id, key, method: req.method, path, body })
}

/** A retry is answered by what is there now; neither the state nor If-Match are asked again (contract 2.4). */
async function replay(services: RouteServices, { replay }: Idempotent, actor: Actor, record: IdempotencyRecord) {
  const { project, changeRequestId: id } = record
  const reply = await replay(await findVisible(services, { project, id }, actor), services)
  return { ...reply, headers: { ...reply.headers, 'Idempotency-Replayed': 'true' } }
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
  else write(challenged(toErrorReply(error, req, edge.logger), edge, res), req, res)
}

/**
 * HTTP wants every 401 to name a scheme (RFC 9110, 11.6.1). Where callers have no key, the host may have set the header;
 * else it says that the scheme is none that clients could know.
 */
function challenged(reply: Reply, { byKey }: Edge, res: Response): Reply {
  if (reply.status !== 401 || (!byKey && res.hasHeader('WWW-Authenticate'))) return reply
  return { ...reply, headers: { ...reply.headers, 'WWW-Authenticate': byKey ? 'Bearer' : 'Custom' } }
}
