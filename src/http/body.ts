import type { Request, RequestHandler, Response } from 'express'
import { ChangeRequestError, type ErrorName } from '../errors'
import { isContainer } from '../validation/core/guard'

/** Parses the body of a request unless the host app already did; undefined for a request without one. */
export type ReadBody = (req: Request, res: Response) => Promise<unknown>

/** @param parser `express.json` of the host app's Express */
export function createReadBody(parser: RequestHandler, limitBytes: number): ReadBody {
  return async (req, res) => {
    const mediaType = (req.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()
    // `application/vnd.x+json` is not accepted (contract 2.1).
    if (mediaType !== 'application/json')
      throw new ChangeRequestError('ContentTypeError', 'Send the body as application/json.')
    // Not `req.body === undefined`: parsers of Express 4 set {} for a body that they did not read.
    if (req.readable && !req.readableDidRead) {
      await new Promise<void>((resolve, reject) => {
        parser(req, res, (error?: unknown) =>
          error === undefined ? resolve() : reject(parserError(error, limitBytes)),
        )
      })
    } else if (isLost(req)) {
      throw new ChangeRequestError(
        'UnknownError',
        'The app read the body before the router, but not as JSON. Mount the router before that parser.',
      )
    }
    return req.body
  }
}

/** True if code of the host app has read a body, or a part of it, and left something else than its JSON. */
function isLost(req: Request & { readonly _body?: unknown }): boolean {
  const body: unknown = req.body
  if (typeof body === 'string' || (typeof body === 'object' && body !== null && !isContainer(body))) return true
  if (!req.readableDidRead) return false
  return body === undefined || (isEmpty(body) && req._body !== true && sentContent(req))
}

function isEmpty(body: unknown): boolean {
  return body === null || (typeof body === 'object' && !Array.isArray(body) && Object.keys(body).length === 0)
}

/**
 * True if the client sent more than an empty object. Parsers of Express 4 set {} for a body that they leave to others. They set
 * `_body` for one that they read, but those of Express 5 do not.
 */
function sentContent({ headers }: Request): boolean {
  return headers['content-encoding'] === undefined && Number(headers['content-length']) >= '{"":0}'.length
}

function parserError(error: unknown, limitBytes: number): ChangeRequestError {
  const { type, status } = (error ?? {}) as { readonly type?: unknown; readonly status?: unknown }
  const fail = (name: ErrorName, message: string) => new ChangeRequestError(name, message, { cause: error })
  switch (type) {
    case 'entity.too.large':
      return fail('PayloadTooLargeError', `The body is larger than ${limitBytes} bytes.`)
    case 'charset.unsupported':
    case 'encoding.unsupported':
      return fail('ContentTypeError', 'The charset or encoding of the body is not supported.')
    case 'entity.parse.failed':
      return fail('BadDataError', 'The body is not valid JSON.')
    case 'stream.not.readable':
    case 'stream.encoding.set':
      return fail(
        'UnknownError',
        'The app read the body in a way that is not supported. Use express.json() or mount the router before it.',
      )
    default:
      return status === 400
        ? fail('BadDataError', 'The body is incomplete.')
        : fail('UnknownError', 'The body could not be read.')
  }
}
