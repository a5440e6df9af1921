import type { Services } from '../../kernel/services'
import type { Caller } from '../../kernel/step/step-input'
import { findVisible, type Reference } from '../../kernel/step/visible'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'
import type { EventPage } from '../../ports/storage/events'

/** Events per page. */
const pageSize = 100

export interface TimelinePage {
  readonly stored: StoredChangeRequest
  readonly page: EventPage
  /** The id of the last event; null on the last page. */
  readonly next: number | null
}

/** The events of a change request, oldest first, for anyone who can read it (contract 12). */
export async function readTimeline(
  services: Services,
  input: Pick<Caller, 'actor'> & Reference,
  after: number,
): Promise<TimelinePage> {
  const stored = await findVisible(services, input, input.actor)
  const filter = { changeRequestIds: [stored.changeRequest.id] }
  const page = await services.storage.eventPage(filter, { after }, pageSize, true)
  return { stored, page, next: page.searched === pageSize ? page.lastId : null }
}
