import { useLayoutEffect, useRef } from 'preact/hooks'
import type { ChangeRequestPlace } from '../../../../../client'
import type { EventView } from '../../../../../generated'
import { client, type Loaded, useLoaded } from '../../../core'
import { objectOf, textIn } from '../../../words/json'

/** What the events of a change request say about it as a whole. */
export interface History {
  readonly events: readonly EventView[]
  /** It was applied past the review. */
  readonly emergency: { readonly reason: string; readonly missing: readonly Unmet[] } | null
  /** Nobody has had the second look yet. */
  readonly needsSecondLook: boolean
  /** The event that ended it. */
  readonly applied: EventView | undefined
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
  const loaded = useLoaded<readonly EventView[]>(key, async ({ signal }) => ({ body: await loadAll(place, signal) }))
  const { refresh } = loaded
  const read = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (read.current !== undefined && read.current !== revision) void refresh()
    read.current = revision
  }, [revision, refresh])
  return { history: toHistory(loaded.data ?? []), loaded }
}

/** A change request has at most a few thousand events; what is beyond stands in the log. */
const mostPages = 30

async function loadAll(place: ChangeRequestPlace, signal: AbortSignal): Promise<readonly EventView[]> {
  const events: EventView[] = []
  let cursor: string | null = null
  for (let page = 0; page < mostPages; page++) {
    const { body } = await client.timeline(place, cursor, { signal })
    events.push(...body.events)
    cursor = body.next
    if (cursor === null) break
  }
  return events
}

const ends: ReadonlySet<string> = new Set(['change-request-applied', 'change-request-scheduled-application-success'])
const edits: ReadonlySet<string> = new Set(['change-added', 'change-edited', 'change-discarded'])

function toHistory(events: readonly EventView[]): History {
  const applied = events.findLast(({ type }) => ends.has(type))
  const told = objectOf(applied?.data).emergency
  const missing = objectOf(told).missing
  const acknowledged = events.some(({ data }) => objectOf(data).afterReview === true)
  return {
    events,
    emergency:
      told === undefined ? null : { reason: textIn(told, 'reason'), missing: Array.isArray(missing) ? missing : [] },
    needsSecondLook: told !== undefined && !acknowledged,
    applied,
    edited: events.findLast(({ type }) => edits.has(type)),
  }
}
