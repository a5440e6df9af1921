import { useLayoutEffect, useRef } from 'preact/hooks'
import type { ChangeRequestPlace } from '../../../../../client'
import type { EventView } from '../../../../../generated'
import { type Loaded, useLoaded } from '../../../core/api/load'
import { isEnd } from '../../../reviews/closed'
import { loadTimeline } from '../../../reviews/timeline'
import { isEdit } from '../../../words/events'
import { listOf, objectOf, textIn } from '../../../words/json'

/** What the events of a change request say about it as a whole. */
export interface History {
  readonly events: readonly EventView[]
  /** It was applied past the review. */
  readonly emergency: { readonly reason: string; readonly missing: readonly Unmet[] } | null
  /** Nobody has had the second look yet. */
  readonly needsSecondLook: boolean
  /** The event that ended it. */
  readonly ended: EventView | undefined
  /** Who altered the content last. */
  readonly edited: EventView | undefined
}

interface Unmet {
  readonly name: string
  readonly approvals: number
  readonly given: number
}

/** The timeline, read again with each revision. */
export function useHistory(
  place: ChangeRequestPlace,
  revision: string | undefined,
): { history: History; loaded: Loaded<readonly EventView[]> } {
  const key = `timeline ${place.project} ${place.id}`
  const loaded = useLoaded<readonly EventView[]>(key, async (options) => ({ body: await loadTimeline(place, options) }))
  const { refresh } = loaded
  const read = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (read.current !== undefined && read.current !== revision) void refresh()
    read.current = revision
  }, [revision, refresh])
  return { history: toHistory(loaded.data ?? []), loaded }
}

function toHistory(events: readonly EventView[]): History {
  const ended = events.findLast(isEnd)
  const told = objectOf(ended?.data).emergency
  const acknowledged = events.some(({ data }) => objectOf(data).afterReview === true)
  return {
    events,
    emergency:
      told === undefined
        ? null
        : { reason: textIn(told, 'reason'), missing: listOf(objectOf(told).missing) as readonly Unmet[] },
    needsSecondLook: told !== undefined && !acknowledged,
    ended,
    edited: events.findLast(isEdit),
  }
}
