import type { Request, RequestHandler, Response } from 'express'
import { ChangeRequestError } from '../errors'

/** Parses the body of a request unless the host did; undefined for a request without one. */
export type ReadBody = (req: Request, res: Response) => Promise<unknown>

/** @throws ContentTypeError unless the body is `application/json`; `application/vnd.x+json` is not (contract 2.1). */
function checkContentType(req: Request): void {
  const mediaType = (req.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()
  if (mediaType === 'application/json') return
  throw new ChangeRequestError('ContentTypeError', 'Send the body as application/json.')
}

/**
 * @param parser `express.json` of the host's Express.
 */
export function createReadBody(parser: RequestHandler, limitBytes: number): ReadBody {
  return async (req, res) => {
    checkContentType(req)
    // Not `req.body === undefined`: a parser of an Express 4 host leaves {} behind a body that it did not read.
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
      throw new ChangeRequestError('UnknownError', 'The host read the body before the router, and not as JSON.')
    }
    return body
  }
}

interface ParserError {
  readonly type?: unknown
  readonly status?: unknown
}

/** The errors of body-parser by their documented `type`. */
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
      return new ChangeRequestError('UnknownError', 'The host read the body in a way that is not supported.', options)
    default:
      return status === 400
        ? new ChangeRequestError('BadDataError', 'The body could not be read to its end.', options)
        : new ChangeRequestError('UnknownError', 'The body could not be read.', options)
  }
}
