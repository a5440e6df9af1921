import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { ChangeRequestError } from '../errors'
import { toChangeRequestError } from '../kernel/failures'
import { type IdempotentRunner, recordOf, toIdempotentCall } from '../kernel/idempotency'
import type { Services } from '../kernel/services'
import { findVisible } from '../kernel/visible'
import type { Actor } from '../ports/access'
import { markGuard } from '../ports/guard-mark'
import type { Logger } from '../ports/logger'
import type { IdempotencyRecord } from '../ports/storage'
import { type Admission, admit } from './admission'
import { toErrorReply } from './errors'
import type { Reply } from './reply'
import { createContext } from './request-context'
import type { Route } from './route'
import { send, sendWhole } from './send'

/** What all routes share. */
export interface Pipeline extends Admission {
  readonly idempotentRunner: IdempotentRunner
  readonly logger: Logger
  /** `next` passes errors to the error handler of the host. */
  readonly errors: 'respond' | 'next'
  readonly streamTimeoutMs: number
}

/** A route as Express calls it. It answers each request, or passes it on by `next`, exactly once. */
export function requestHandler(route: Route, pipeline: Pipeline): RequestHandler {
  const handler: RequestHandler = (req, res, next) => {
    respond(route, pipeline, req, res).catch((error: unknown) =>
      fail(toChangeRequestError(pipeline.services.storage, error), pipeline, req, res, next),
    )
  }
  return markGuard(handler, 'review')
}

/** Answers errors that Express met on one of our paths, such as a malformed escape sequence. */
export function errorHandler(pipeline: Pipeline) {
  return (error: unknown, req: Request, res: Response, next: NextFunction): void => {
    const status = (error as { status?: unknown } | null)?.status
    const malformed = status === 400 ? new ChangeRequestError('BadDataError', 'The path is malformed.') : error
    fail(toChangeRequestError(pipeline.services.storage, malformed), pipeline, req, res, next)
  }
}

async function respond(route: Route, pipeline: Pipeline, req: Request, res: Response): Promise<void> {
  const { services, idempotentRunner, streamTimeoutMs } = pipeline
  const admitted = await admit(route, pipeline, req, res)
  const { actor } = admitted.caller
  const call = route.idempotent && idempotentCall(route.idempotent, services, req, actor, admitted.body)
  const idempotency = call && recordOf(call, call.kind)
  const context = createContext(req, { ...admitted, caller: { ...admitted.caller, idempotency } })
  const input = route.parse(context, services)
  const run = async () => route.run(input, services)
  // A retry gets the view of what is there now; neither the state nor If-Match are checked again (contract 2.4).
  const replay = ({ project, changeRequestId: id }: IdempotencyRecord) => findVisible(services, { project, id }, actor)
  const { result, replayed } = call
    ? await idempotentRunner.run<unknown>(call, run, replay)
    : { result: await run(), replayed: false }
  const reply = await route.view(result, services)
  const headers = replayed ? { ...reply.headers, 'Idempotency-Replayed': 'true' } : reply.headers
  await send({ ...reply, headers }, req, res, streamTimeoutMs)
}

/** Undefined for a call without a key, and for a caller without an id, who cannot own one. */
export function idempotentCall(
  kind: NonNullable<Route['idempotent']>,
  services: Services,
  req: Request,
  { id: userId }: Actor,
  body: unknown,
) {
  const key = req.get('idempotency-key')
  if (key === undefined || userId === null) return undefined
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new ChangeRequestError('BadDataError', 'An Idempotency-Key has 1 to 255 visible ASCII characters.')
  }
  const path = `${req.baseUrl}${req.path}`
  return { kind, ...toIdempotentCall(services, { userId, key, method: req.method, path, body }) }
}

function fail(error: ChangeRequestError, pipeline: Pipeline, req: Request, res: Response, next: NextFunction): void {
  const { logger, errors, byKey } = pipeline
  if (res.headersSent) {
    logger.error({ err: error.cause ?? error, method: req.method }, 'An answer broke off half-way.')
    // A cut list must not look complete.
    res.destroy()
    return
  }
  res.removeHeader('ETag')
  if (errors === 'next') next(error)
  else sendWhole(challenged(toErrorReply(error, req, logger), byKey, res), req, res)
}

/**
 * Every 401 names a scheme (RFC 9110, 11.6.1). Where callers have no key, the host may have set the header; otherwise the
 * scheme is one that no client knows.
 */
function challenged(reply: Reply, byKey: boolean, res: Response): Reply {
  if (reply.status !== 401 || (!byKey && res.hasHeader('WWW-Authenticate'))) return reply
  return { ...reply, headers: { ...reply.headers, 'WWW-Authenticate': byKey ? 'Bearer' : 'Custom' } }
}
