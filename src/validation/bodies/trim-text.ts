import { badData, echo } from '../core/problems'

/** The text without surrounding blanks. @throws BadDataError unless that leaves 1 to `most` code points */
export function trimText(text: string, property: string, most: number): string {
  const kept = text.trim()
  const { length } = [...kept]
  if (length >= 1 && length <= most) return kept
  const message = `must have 1 to ${most} characters, surrounding blanks not counted, got ${echo(text)}`
  throw badData([{ path: `/body/${property}`, message }])
}
