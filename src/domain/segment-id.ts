import type { NewChange } from './change-request'

/** The segment that a segment change is about. */
export function segmentId(change: NewChange): number {
  return (change.payload as { id: number }).id
}
