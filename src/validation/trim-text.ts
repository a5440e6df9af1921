import { badData, echo } from './core/problems'

/** The text without surrounding blanks. @throws BadDataError unless that leaves `least` to `most` code points */
export function trimText(text: string, property: string, most: number, least = 1): string {
  const kept = text.trim()
  const { length } = [...kept]
  if (length >= least && length <= most) return kept
  const message = `must have ${least} to ${most} characters, surrounding blanks not counted, got ${echo(text)}`
  throw badData([{ path: `/body/${property}`, message }])
}

export const longestComment = 10000
