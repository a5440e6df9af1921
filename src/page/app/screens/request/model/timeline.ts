import type { ChangeRequestPlace } from '../../../../../client'
import type { EventView } from '../../../../../generated'
import { client } from '../../../core/api/session'

/** A change request has at most a few thousand events; what is beyond stands in the log. */
const mostPages = 30

/** The events of a change request, oldest first. */
export async function loadTimeline(
  place: ChangeRequestPlace,
  options: { signal?: AbortSignal },
): Promise<readonly EventView[]> {
  const events: EventView[] = []
  let cursor: string | null = null
  for (let page = 0; page < mostPages; page++) {
    const { body } = await client.timeline(place, cursor, options)
    events.push(...body.events)
    cursor = body.next
    if (cursor === null) break
  }
  return events
}
