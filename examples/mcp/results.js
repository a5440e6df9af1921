import { ClientError } from 'express-change-requests/client'
import { withoutNames } from './paths.js'
import { InvalidArguments } from './schemas.js'

const prefix = 'untrusted_'

/**
 * The result of a tool. What people wrote stands only under keys with the prefix, in the structured content: a model that
 * reads the text block sees codes, ids, states, counts, and paths without the names that people chose.
 */
export function successResult(structuredContent) {
  return { structuredContent, content: [{ type: 'text', text: JSON.stringify(structuredContent, withoutUntrusted) }] }
}

function withoutUntrusted(key, value) {
  return key.startsWith(prefix) ? undefined : value
}

/** An error of the API, with codes and paths to mend a proposal by. */
export function errorResult(error) {
  return { isError: true, ...successResult({ error: describe(error), ...(error.id && { id: error.id }) }) }
}

function describe(error) {
  if (error instanceof PartialError) return { ...describe(error.cause), after: error.after }
  const { message, details = [] } = error
  const listed = details.map(({ code, path, message: sentence }) => ({
    ...(code && { code }),
    ...(path && { path: withoutNames(path), untrusted_path: path }),
    untrusted_message: sentence,
  }))
  if (error instanceof ClientError) {
    const { name, status, retryAfter } = error
    return { name, status, ...(retryAfter !== null && { retryAfter }), details: listed, untrusted_message: message }
  }
  const name = error instanceof InvalidArguments ? 'InvalidArguments' : 'Error'
  return { name, details: listed, untrusted_message: message }
}

/** A tool that failed after its first write. */
export class PartialError extends Error {
  /**
   * @param {number} id of the change request that was written
   * @param {string} after the last step that succeeded
   */
  constructor(id, after, cause) {
    super(cause.message, { cause })
    this.id = id
    this.after = after
  }
}
