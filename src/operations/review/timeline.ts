import { changeRequestSubject } from '../../domain/content/grouping'
import type { EventPage } from '../../ports/storage'
import { type Caller, findVisible, type Reference } from '../change-requests/existing'
import type { Services } from '../runtime/services'

/** The events of one answer. */
const pageSize = 100

export interface TimelinePage {
  readonly page: EventPage
  /** The id of the last event; null when there are no more. */
  readonly next: number | null
}

/** The events of a change request, oldest first, for whoever may read it (extensions 1). */
export async function readTimeline(
  services: Services,
  input: Pick<Caller, 'actor'> & Reference,
  after: number,
): Promise<TimelinePage> {
  const { id } = (await findVisible(services, input, input.actor)).changeRequest
  const history = { features: [], subjects: [changeRequestSubject(id)] }
  const page = await services.storage.eventPage({ history }, { after }, pageSize, true)
  return { page, next: page.searched === pageSize ? page.lastId : null }
}
