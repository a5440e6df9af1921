import type { Request, RequestHandler, Response } from 'express'
import { ChangeRequestError } from '../errors'

/** Parses the body of a request unless the host app already did; undefined for a request without one. */
export type ReadBody = (req: Request, res: Response) => Promise<unknown>

/** @throws ContentTypeError unless the body is `application/json`; `application/vnd.x+json` is not (contract 2.1). */
function checkContentType(req: Request): void {
  const mediaType = (req.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()
  if (mediaType === 'application/json') return
  throw new ChangeRequestError('ContentTypeError', 'Send the body as application/json.')
}

/**
 * @param parser `express.json` of the host app's Express.
 */
export function createReadBody(parser: RequestHandler, limitBytes: number): ReadBody {
  return async (req, res) => {
    checkContentType(req)
    // Not `req.body === undefined`: parsers of Express 4 set {} for a body that they did not read.
    const unread = req.readable
    if (unread) {
      await new Promise<void>((resolve, reject) => {
        parser(req, res, (error?: unknown) =>
          error === undefined ? resolve() : reject(parserError(error, limitBytes)),
        )
      })
    }
    const body: unknown = req.body
    if (!unread && (typeof body === 'string' || Buffer.isBuffer(body))) {
      throw new ChangeRequestError(
        'UnknownError',
        'The app read the body before the router, but not as JSON. Mount the router before that parser.',
      )
    }
    return body
  }
}

interface ParserError {
  readonly type?: unknown
  readonly status?: unknown
}

/** Maps the errors of body-parser by their documented `type`. */
function parserError(error: unknown, limitBytes: number): ChangeRequestError {
  const { type, status } = (error ?? {}) as ParserError
  const options = { cause: error }
  switch (type) {
    case 'entity.too.large':
      return new ChangeRequestError('PayloadTooLargeError', `The body is larger than ${limitBytes} bytes.`, options)
    case 'charset.unsupported':
    case 'encoding.unsupported':
      return new ChangeRequestError(
        'ContentTypeError',
        'The charset or encoding of the body is not supported.',
        options,
      )
    case 'entity.parse.failed':
      return new ChangeRequestError('BadDataError', 'The body is not valid JSON.', options)
    case 'stream.not.readable':
    case 'stream.encoding.set':
      return new ChangeRequestError(
        'UnknownError',
        'The app read the body in a way that is not supported. Use express.json() or mount the router before it.',
        options,
      )
    default:
      return status === 400
        ? new ChangeRequestError('BadDataError', 'The body is incomplete.', options)
        : new ChangeRequestError('UnknownError', 'The body could not be read.', options)
  }
}
