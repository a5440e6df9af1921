import type { NewChange } from './change-request'

export function segmentId(change: NewChange): number {
  return (change.payload as { id: number }).id
}
