import type { ScheduledChangeRequestItemView } from '../../generated'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'

/** A scheduled change request as a page about a flag lists it (contract 3.4). */
export function toScheduledItemView({ changeRequest }: StoredChangeRequest): ScheduledChangeRequestItemView {
  const { id, environment, title } = changeRequest
  return { id, environment, ...(title === null ? {} : { title }) }
}
