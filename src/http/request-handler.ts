import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { ChangeRequestError } from '../errors'
import { toChangeRequestError } from '../kernel/host/failures'
import { now } from '../kernel/host-services'
import type { Services } from '../kernel/services'
import { findVisible } from '../kernel/step/step-input'
import { type IdempotentRunner, recordOf, toIdempotentCall } from '../kernel/writer/idempotency'
import type { Scope } from '../ports/access'
import { markGuard } from '../ports/guard-mark'
import type { IdempotencyRecord } from '../ports/storage/idempotency'
import { malformedRequest } from '../validation/core/problems'
import { type Admission, type Admitted, admit, identify, type RouteCall } from './admission'
import type { ReadBody } from './body'
import { toErrorReply } from './errors'
import type { Reply } from './reply'
import { createContext } from './request-context'
import type { Route } from './route'
import { send, sendWhole } from './send'

export interface Pipeline extends Admission {
  readonly idempotentRunner: IdempotentRunner
  readonly readBody: ReadBody
}

/** The Express handler of a route. It sends one response, or calls `next` once. */
export function requestHandler(route: Route, pipeline: Pipeline): RequestHandler {
  const handler: RequestHandler = (req, res, next) => {
    respond(route, pipeline, req, res).catch((error: unknown) => sendError(error, pipeline, req, res, next))
  }
  return markGuard(handler, 'review')
}

/**
 * Handles the one error that Express itself raises on the paths of the router: a malformed escape sequence. All other errors
 * belong to the host app and stay as they are. With `errors: 'next'`, those of the router arrive here, too.
 */
export function errorHandler(pipeline: Pipeline) {
  return (error: unknown, req: Request, res: Response, next: NextFunction): void => {
    // Express sets the status, unlike `decodeURIComponent` in code of the host app.
    if (error instanceof URIError && (error as { readonly status?: unknown }).status === 400)
      sendError(new ChangeRequestError('BadDataError', 'The path is malformed.'), pipeline, req, res, next)
    else next(error)
  }
}

async function respond(route: Route, pipeline: Pipeline, req: Request, res: Response): Promise<void> {
  const { services } = pipeline
  const reply = await measured(route, services, async (onAdmitted) => {
    const actor = await identify(pipeline, req)
    const call = { req, actor, readBody: () => pipeline.readBody(req, res), onAdmitted }
    const { result, headers } = await runRoute(route, pipeline, call)
    const reply = await route.view(result, services)
    return { ...reply, headers: { ...reply.headers, ...headers } }
  })
  // Not awaited: a stream would keep everything above in memory until it ends.
  return send(reply, req, res, services.options.limits.streamTimeoutMs)
}

/** Runs an operation in its span, and measures how long it takes. The place is known once the caller is admitted. */
export function measured<Value>(
  { operationId: operation }: Route,
  { storage, telemetry }: Services,
  run: (onAdmitted: RouteCall['onAdmitted']) => Promise<Value>,
): Promise<Value> {
  let place: Scope | undefined
  const onAdmitted = (scope: Scope) => {
    place = scope
  }
  return telemetry.span(operation, () => run(onAdmitted), {
    duration: 'operationDuration',
    attributes: () => ({ operation, place }),
    errorType: (error) => toChangeRequestError(storage, error).name,
  })
}

/** Runs a route for an identified caller: all checks, then its operation, once per `Idempotency-Key`. */
export async function runRoute<Input, Result>(
  route: Route<Input, Result>,
  { services, idempotentRunner }: Pipeline,
  call: RouteCall,
): Promise<{ readonly result: Result; readonly headers: Readonly<Record<string, string>> }> {
  const { req, actor } = call
  const admitted = await admit(route as Route, services, call)
  call.onAdmitted?.(admitted.scope)
  const once = route.idempotent && idempotentCall(route.idempotent, services, req, admitted)
  const idempotency = once && recordOf(once, once.kind)
  const request = { ...admitted, caller: { ...admitted.caller, idempotency } }
  const input = route.parse(createContext(req, request, services.options.featureNames), services)
  const run = async () => route.run(input, services)
  if (once === undefined) return { result: await run(), headers: {} }
  // A retry gets the current change request. Its state and If-Match are not checked again (contract 2.4).
  const replay = ({ project, changeRequestId: id }: IdempotencyRecord) => findVisible(services, { project, id }, actor)
  const { result, replayed } = await idempotentRunner.run<unknown>(once, run, replay)
  return { result: result as Result, headers: replayed ? { 'Idempotency-Replayed': 'true' } : {} }
}

/** Undefined without a key, and for a caller without an id: keys belong to users. */
function idempotentCall(
  kind: NonNullable<Route['idempotent']>,
  services: Services,
  req: Request,
  { caller, scope, body }: Admitted,
) {
  const key = req.get('idempotency-key')
  const { id: userId } = caller.actor
  if (key === undefined || userId === null) return undefined
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw malformedRequest('The header Idempotency-Key must have 1 to 255 visible ASCII characters.')
  }
  const path = `${req.baseUrl}${req.path}`
  // Routes of the host app may have no project and environment in their path, so the fingerprint includes the scope.
  return { kind, ...toIdempotentCall(now(services), { userId, key, method: req.method, path, body: { scope, body } }) }
}

/** @param logger receives what the caller must not see */
export function sendError(
  thrown: unknown,
  { services, byKey }: Pipeline,
  req: Request,
  res: Response,
  next: NextFunction,
  logger = services.logger,
): void {
  const error = toChangeRequestError(services.storage, thrown)
  const isOutage = services.outage.covers(thrown)
  if (res.headersSent) {
    // A client that went away is no error.
    const level = isOutage || res.destroyed ? 'debug' : 'error'
    logger[level](
      { err: error.cause ?? error, method: req.method },
      'A response failed after its headers were sent; its connection is closed.',
    )
    // A truncated list must not look complete.
    res.destroy()
    return
  }
  res.removeHeader('ETag')
  if (services.options.errors === 'next') next(error)
  else sendWhole(withChallenge(toErrorReply(error, req, logger, isOutage), byKey, res), req, res)
}

/**
 * Every 401 needs an authentication scheme (RFC 9110, 11.6.1). Without API keys, the host app may have set the header;
 * otherwise `Custom` is sent, a scheme that no client acts on.
 */
function withChallenge(reply: Reply, byKey: boolean, res: Response): Reply {
  if (reply.status !== 401 || (!byKey && res.hasHeader('WWW-Authenticate'))) return reply
  return { ...reply, headers: { ...reply.headers, 'WWW-Authenticate': byKey ? 'Bearer' : 'Custom' } }
}
