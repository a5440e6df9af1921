import { badData, echo } from './core/problems'

/** The text without surrounding blanks. @throws BadDataError unless it then has `min` to `max` code points */
export function trimText(text: string, property: string, max: number, min = 1): string {
  const trimmed = text.trim()
  const { length } = [...trimmed]
  if (length >= min && length <= max) return trimmed
  const message = `must have ${min} to ${max} characters without surrounding blanks, got ${echo(text)}`
  throw badData([{ path: `/body/${property}`, message }])
}

export const maxCommentLength = 10000
