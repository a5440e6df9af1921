import type { NewChange } from './change-request'

/** The id of the segment of a segment change. */
export function segmentId(change: NewChange): number {
  return (change.payload as { id: number }).id
}
