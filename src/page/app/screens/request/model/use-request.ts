import { useLayoutEffect, useMemo, useState } from 'preact/hooks'
import type { ChangeRequestPlace } from '../../../../../client'
import type { ChangeRequestView, ReviewView } from '../../../../../generated'
import { type ReceivedEvents, useLive, usePolling } from '../../../core/api/live'
import { type Loaded, useLoaded } from '../../../core/api/load'
import { client } from '../../../core/api/session'
import { isClosed } from '../../../parts/marks/state-traits'
import { type ContentChange, compareContent } from '../../../words/content/compare'
import { type TargetItem, toTargets } from '../../../words/content/items'

/** A change request with its review. */
export interface Snapshot {
  readonly request: ChangeRequestView
  readonly review: ReviewView
  readonly targets: readonly TargetItem[]
}

export interface LoadedRequest {
  readonly loaded: Loaded<Snapshot>
  /** What the content on the screen is; only the viewer replaces it. */
  readonly content: Snapshot | undefined
  /** What differs from it by now; null while it is up to date. */
  readonly change: ContentChange | null
  /** What the viewer was last shown as changed. */
  readonly marks: ContentChange | null
  /** Puts the present content on the screen. */
  showChange(): void
  /** Asks again; the content of the revision that the viewer made themselves is taken as it is. */
  refresh(made?: string): Promise<Snapshot | undefined>
}

/** The change request, live: facts about people are updated immediately, the content when the viewer loads it. */
export function useRequest(place: ChangeRequestPlace): LoadedRequest {
  const key = `request ${place.project} ${place.id}`
  const loaded = useLoaded<Snapshot>(key, async ({ signal }) => ({ body: await loadSnapshot(place, signal) }))
  const [held, setHeld] = useState<{ key: string; content: Snapshot; marks: ContentChange | null }>()
  const latest = loaded.data
  const [made, setMade] = useState<string>()
  const own = held?.key === key ? held : undefined
  const change = useMemo(
    () => (own && latest ? compareContent(own.content.targets, latest.targets) : null),
    [own, latest],
  )
  const take = (content: Snapshot, marks: ContentChange | null) => setHeld({ key, content, marks })
  const isOwn = change !== null && latest?.review.revision === made
  const isEnd = own !== undefined && latest !== undefined && isClosing(own.content, latest)
  useLayoutEffect(() => {
    if (latest === undefined) return
    if (own === undefined || isOwn || isEnd) take(latest, null)
    else if (change === null && own.content !== latest) take(latest, own.marks)
  }, [latest, change, key, isOwn])
  useFollowing(place, latest, loaded.refresh)
  return {
    loaded,
    content: own?.content ?? latest,
    change: isOwn || isEnd ? null : change,
    marks: own?.marks ?? null,
    showChange: () => latest && take(latest, change),
    refresh(revision) {
      if (revision !== undefined) setMade(revision)
      return loaded.refresh()
    },
  }
}

/** Nobody decides on what is closed, so there is nothing to look at again. */
function isClosing(old: Snapshot, next: Snapshot): boolean {
  return isClosed(next.review.state) && !isClosed(old.review.state)
}

/** The change request as it is now. */
export async function loadSnapshot(place: ChangeRequestPlace, signal: AbortSignal): Promise<Snapshot> {
  const { body: review } = await client.review(place, { signal })
  const { changeRequest: request } = review
  return { request, review, targets: toTargets(review.changes, request, review.segmentNames) }
}

/** What is decided on; unknown while the flags are unavailable. */
export function digestOf({ digest }: ReviewView): { readonly digest?: string } {
  return digest === null ? {} : { digest }
}

/** Reloads for events of the change request or of its flags, and every 15 s for what is no event, such as comments. */
function useFollowing(place: ChangeRequestPlace, latest: Snapshot | undefined, refresh: () => Promise<unknown>): void {
  useLive((events) => {
    if (concerns(events, place, latest)) void refresh()
  })
  usePolling(() => void refresh())
}

function concerns(events: ReceivedEvents, { project, id }: ChangeRequestPlace, latest: Snapshot | undefined): boolean {
  if (events.length === 0) return true
  const flags = new Set(latest?.request.features.map(({ name }) => name))
  return events.some((event) => {
    if (event.type.startsWith('segment-')) return (latest?.request.segments.length ?? 0) > 0
    if (event.project !== project) return false
    return event.data?.changeRequestId === id || (typeof event.featureName === 'string' && flags.has(event.featureName))
  })
}
