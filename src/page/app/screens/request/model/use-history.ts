import { useLayoutEffect, useRef } from 'preact/hooks'
import type { ChangeRequestPlace } from '../../../../../client'
import type { EventView } from '../../../../../generated'
import { type Loaded, useLoaded } from '../../../core/api/load'
import { loadTimeline } from './timeline'

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
