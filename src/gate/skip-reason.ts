import type { Request } from 'express'
import { badData } from '../validation/core/problems'

const header = 'Change-Request-Skip-Reason'
const maxLength = 1_000

/**
 * The reason for skipping the review, from the header: percent-encoded UTF-8, trimmed. Null without a reason.
 *
 * @throws BadDataError when it is malformed or too long, or missing although it is required.
 */
export function readSkipReason(req: Request, required: boolean): string | null {
  const reason = decode(req.get(header) ?? '').trim()
  if ([...reason].length > maxLength) throw malformed(`must have at most ${maxLength} characters`)
  if (reason !== '') return reason
  if (required) throw malformed('is required: send the reason for skipping the review')
  return null
}

function decode(text: string): string {
  try {
    const decoded = decodeURIComponent(text)
    if (/^[\x20-\x7e]*$/.test(text) && !decoded.includes('\0')) return decoded
  } catch {
    // Handled below.
  }
  throw malformed('must be percent-encoded UTF-8 without NUL')
}

function malformed(message: string) {
  return badData([{ path: `/headers/${header.toLowerCase()}`, message: `The header ${header} ${message}.` }])
}
