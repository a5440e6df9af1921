import { useLayoutEffect, useRef } from 'preact/hooks'
import type { ChangeRequestPlace } from '../../../../../client'
import type { EventView } from '../../../../../generated'
import { type Loaded, useLoaded } from '../../../core/api/load'
import { client } from '../../../core/api/session'

/** The events of a change request, read again with each revision. */
export function useHistory(place: ChangeRequestPlace, revision: string | undefined): Loaded<readonly EventView[]> {
  const key = `timeline ${place.project} ${place.id}`
  const loaded = useLoaded<readonly EventView[]>(key, async (options) => ({ body: await loadTimeline(place, options) }))
  const { refresh } = loaded
  const read = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (read.current !== undefined && read.current !== revision) void refresh()
    read.current = revision
  }, [revision, refresh])
  return loaded
}

/** A change request has at most a few thousand events; what is beyond stands in the log. */
const maxPages = 30

/** The events of a change request, oldest first. */
async function loadTimeline(
  place: ChangeRequestPlace,
  options: { signal?: AbortSignal },
): Promise<readonly EventView[]> {
  const events: EventView[] = []
  let cursor: string | null = null
  for (let page = 0; page < maxPages; page++) {
    const { body } = await client.timeline(place, cursor, options)
    events.push(...body.events)
    cursor = body.next
    if (cursor === null) break
  }
  return events
}
