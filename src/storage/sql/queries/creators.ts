import type { EventCreator } from '../../../ports/storage/events'
import { safeInteger } from '../database/database'

interface CreatorRow {
  readonly id: unknown
  readonly created_by: string | null
  readonly kind: EventCreator['kind'] | null
}

export function toCreator({ id, created_by: createdBy, kind }: CreatorRow): EventCreator {
  return { id: safeInteger(id), createdBy, ...(kind && { kind }) }
}
