import type { JsonValue, NewChange } from '../change-request'
import type { FlagState } from '../flag-state'
import { segmentId } from '../segment-id'

/** What a column of the table of actions says of the flag or segment of a change; undefined for a flag that is not there. */
export function askOfSubject<Answer>(
  column: (payload: JsonValue, subject: unknown) => Answer,
  change: NewChange,
  { features, segments }: FlagState,
): Answer | undefined {
  const { feature: name, payload } = change
  if (name === null) return column(payload, segments.get(segmentId(change)))
  const feature = features.get(name)
  return feature && column(payload, feature)
}
