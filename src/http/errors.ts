import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Request } from 'express'
import { type ChangeRequestError, errorStatuses } from '../errors'
import type { ErrorView, ProblemView } from '../generated/index'
import { InvalidHookResultError } from '../kernel/host/hooks'
import type { Logger } from '../ports/logger'
import type { Reply } from './reply'

/** @param isOutage whether the cause is logged once for all requests (contract 11.1) */
export function toErrorReply(error: ChangeRequestError, req: Request, logger: Logger, isOutage = false): Reply {
  const id = randomUUID()
  const status = errorStatuses[error.name] ?? 500
  // The log names the hook at fault; the response does not.
  const logged = error.cause instanceof InvalidHookResultError ? error.cause.message : error.message
  if (status >= 500 && !isOutage) logger.error({ id, err: error.cause ?? error, method: req.method }, logged)
  else logger.debug({ id, name: error.name, method: req.method }, error.message)
  const details = error.details.map(({ message, path, code, lastEventId }) => ({ message, path, code, lastEventId }))
  const body: ErrorView = {
    id,
    name: error.name,
    message: error.message,
    details: details as ErrorView['details'],
    ...(error.permissions === undefined ? {} : { permissions: [...error.permissions] }),
    ...(error.url === undefined ? {} : { url: error.url }),
  }
  const headers: Record<string, string> = { 'Cache-Control': 'no-store' }
  const retryAfter = error.retryAfter ?? (status === 503 ? 1 : undefined)
  if (retryAfter !== undefined) headers['Retry-After'] = String(retryAfter)
  // `*` is not enough.
  if (!req.accepts().includes('application/problem+json'))
    return { status, headers, type: 'application/json; charset=utf-8', body: JSON.stringify(body) }
  return { status, headers, type: 'application/problem+json', body: JSON.stringify(toProblem(status, body)) }
}

function toProblem(status: number, body: ErrorView): ProblemView {
  return { type: 'about:blank', title: STATUS_CODES[status] ?? 'Error', status, detail: body.message, ...body }
}
