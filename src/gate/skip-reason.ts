import type { Request } from 'express'
import { badData } from '../validation/core/problems'

const header = 'Change-Request-Skip-Reason'
const longest = 1_000

/**
 * Why the review is skipped, as the caller says in a header: percent-encoded UTF-8, trimmed. Null for none.
 *
 * @throws BadDataError when it is malformed or too long, or missing where it is required.
 */
export function readSkipReason(req: Request, required: boolean): string | null {
  const reason = decode(req.get(header) ?? '').trim()
  if ([...reason].length > longest) throw malformed(`must have at most ${longest} characters`)
  if (reason !== '') return reason
  if (required) throw malformed('must say why the review is skipped')
  return null
}

function decode(text: string): string {
  try {
    const decoded = decodeURIComponent(text)
    if (/^[\x20-\x7e]*$/.test(text) && !decoded.includes('\0')) return decoded
  } catch {
    // Falls through to the same error.
  }
  throw malformed('must be percent-encoded UTF-8 without NUL')
}

function malformed(message: string) {
  return badData([{ path: `/headers/${header.toLowerCase()}`, message: `The header ${header} ${message}.` }])
}
