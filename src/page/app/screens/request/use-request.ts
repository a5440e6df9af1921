import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { ChangeRequestPlace } from '../../../../client'
import type { ChangeRequestView, EventView, MeView, ReviewView } from '../../../../generated'
import { pollMs, type ReceivedEvents } from '../../core/api/live'
import { type Loaded, useQuery } from '../../core/api/query'
import { client } from '../../core/api/session'
import { digestsOf } from '../../core/tools/seen'
import { isClosed } from '../../parts/marks/state'
import { type ContentChange, compareContent } from '../../words/content/compare'
import { type TargetItem, toTargets } from '../../words/content/items'
import { comparedFields } from '../../words/custom-fields'
import { isSame } from '../../words/json'

/** A change request with its review. */
export interface Snapshot {
  readonly request: ChangeRequestView
  readonly review: ReviewView
  readonly targets: readonly TargetItem[]
}

/** A change of the content that the viewer has not seen yet. */
export interface UnseenChange extends ContentChange {
  /** False if only the flags changed. */
  readonly isEdit: boolean
  readonly voidedApprovals: number
}

export interface LoadedRequest {
  readonly loaded: Loaded<Snapshot>
  /** Current votes, comments and steps, with the content that the viewer has seen. */
  readonly shown: Snapshot | undefined
  /** What differs from the content on the screen; null while it is up to date. */
  readonly change: UnseenChange | null
  /** The change that the viewer has last looked at, to be highlighted. */
  readonly marks: ContentChange | null
  /** Puts the current content on the screen. */
  showChange(): void
  /** Reads again. The content of the given revision, which the viewer made, is shown without a notice. */
  refresh(made?: string): Promise<Snapshot | undefined>
}

export type DialogName =
  | 'acknowledge'
  | 'askReviewers'
  | 'cancel'
  | 'customFields'
  | 'deleteComment'
  | 'discard'
  | 'discardChange'
  | 'dismissObjection'
  | 'edit'
  | 'emergency'
  | 'object'
  | 'reject'
  | 'revert'
  | 'schedule'

/** What the steps of a change request share. */
export interface Actions extends Pick<LoadedRequest, 'marks' | 'refresh'> {
  /** The change request that is decided on. */
  readonly shown: Snapshot
  /** The current one, with content that the viewer has perhaps not seen. */
  readonly latest: Snapshot
  /** Why no step can be sent: the content changed, or there is no network. */
  readonly off: 'changed' | 'offline' | null
  /** Puts the changed content on the screen; undefined while there is none. */
  readonly showChange: (() => void) | undefined
  /** Opens a dialog about the change request, or about the change, comment or objection with the id. */
  readonly open: (dialog: DialogName, id?: number) => void
}

/** What the parts of the screen take; each picks what it needs. */
export interface RequestProps extends Snapshot {
  readonly actions: Actions
}

/**
 * The change request, live. Votes and comments are updated immediately, the content when the viewer chooses to.
 *
 * @param prepare loads the code that the review needs, before it is shown
 */
export function useRequest(
  place: ChangeRequestPlace,
  prepare: (review: ReviewView) => Promise<unknown>,
): LoadedRequest {
  const loaded: Loaded<Snapshot> = useQuery(
    ['request', place.project, place.id],
    async ({ signal }) => {
      const body = await loadSnapshot(place, signal)
      await prepare(body.review)
      return { body }
    },
    // Polls, because comments are no events.
    { changedBy: (events) => concerns(events, place, loaded.data), pollMs },
  )
  const [seen, setSeen] = useState<{ readonly content: Snapshot; readonly marks: ContentChange | null }>()
  const [made, setMade] = useState<string>()
  const latest = loaded.data
  const found = useMemo(() => seen && latest && compareSnapshots(seen.content, latest), [seen, latest])
  const isUnread = seen && latest && losesFlags(seen.content.review, latest.review)
  const isExpected =
    (found && latest?.review.revision === made) ||
    (seen &&
      latest &&
      (isClosing(seen.content.review, latest.review) || losesFlags(latest.review, seen.content.review)))
  const content = seen && (isUnread || (found && !isExpected)) ? seen.content : undefined
  useLayoutEffect(() => {
    if (latest === undefined || content !== undefined || seen?.content === latest) return
    setSeen({ content: latest, marks: isExpected ? null : (seen?.marks ?? null) })
  }, [latest, content, seen, isExpected])
  const shown =
    useMemo(() => latest && content && withContent(latest, content, isUnread), [latest, content, isUnread]) ?? latest
  const change = content && latest && found && !isUnread ? { ...found, ...effectOnReview(content, latest) } : null
  return {
    loaded,
    shown,
    change,
    marks: seen?.marks ?? null,
    showChange: () => latest && change && setSeen({ content: latest, marks: change }),
    refresh(revision) {
      if (revision !== undefined) setMade(revision)
      return loaded.refresh()
    },
  }
}

/** What differs in the content: the changes, and the custom fields. */
function compareSnapshots(old: Snapshot, next: Snapshot): ContentChange | null {
  const content = compareContent(old.targets, next.targets)
  const words = comparedFields(old.review.customFields, next.review.customFields)
  if (words.length === 0) return content
  return content
    ? { ...content, words: [...content.words, '; ', ...words] }
    : { words, fields: new Map(), added: new Set() }
}

/** A closed change request needs no decision, so the viewer does not have to look at its content again. */
function isClosing(old: ReviewView, next: ReviewView): boolean {
  return isClosed(next.state) && !isClosed(old.state)
}

/** Without the flags, the content cannot be compared. What the viewer has seen stays, unless it was edited. */
function losesFlags(old: ReviewView, next: ReviewView): boolean {
  return next.flags === 'unavailable' && old.flags === 'current' && isSame(digestsOf(old), digestsOf(next))
}

/**
 * Revision and digest go with the content: a decision is about what is on the screen. While the flags cannot be read, only the
 * revision can be compared.
 */
function withContent(latest: Snapshot, { request, review, targets }: Snapshot, isUnread = false): Snapshot {
  const { features, segments } = request
  const { changes, customFields, segmentNames, revision, digest } = review
  return {
    request: { ...latest.request, features, segments },
    review: { ...latest.review, changes, customFields, segmentNames, ...(!isUnread && { revision, digest }) },
    targets,
  }
}

function effectOnReview(old: Snapshot, next: Snapshot): Omit<UnseenChange, keyof ContentChange> {
  return {
    isEdit: old.review.digest !== next.review.digest,
    voidedApprovals: old.request.approvals.length - next.request.approvals.length,
  }
}

/** The current change request. */
export async function loadSnapshot(place: ChangeRequestPlace, signal: AbortSignal): Promise<Snapshot> {
  const { body: review } = await client.review(place, { signal })
  const { changeRequest: request } = review
  return { request, review, targets: toTargets(review.changes, request, review.segmentNames) }
}

/** Whether an event is about the change request, or about one of its flags or segments. */
function concerns(events: ReceivedEvents, { project, id }: ChangeRequestPlace, latest: Snapshot | undefined): boolean {
  const flags = new Set(latest?.request.features.map(({ name }) => name))
  return events.some((event) => {
    if (event.type.startsWith('segment-')) return (latest?.request.segments.length ?? 0) > 0
    if (event.project !== project) return false
    return event.data?.changeRequestId === id || (typeof event.featureName === 'string' && flags.has(event.featureName))
  })
}

/** The events of a change request, oldest first; read again with each revision. */
export function useTimeline(place: ChangeRequestPlace, revision: string | undefined): Loaded<readonly EventView[]> {
  const loaded = useQuery<readonly EventView[]>(['timeline', place.project, place.id], async (options) => {
    const events: EventView[] = []
    let cursor: string | null = null
    do {
      const { body }: Awaited<ReturnType<typeof client.timeline>> = await client.timeline(place, cursor, options)
      events.push(...body.events)
      cursor = body.next
    } while (cursor !== null)
    return { body: events }
  })
  const { refresh } = loaded
  const read = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (read.current !== undefined && read.current !== revision) void refresh()
    read.current = revision
  }, [revision, refresh])
  return loaded
}

export interface Names {
  /** The name of a user; undefined if it is unknown. */
  readonly nameOf: (id: number) => string | undefined
  /** The name of the user behind an event, else the name in the event. */
  readonly actorOf: (event: Pick<EventView, 'createdBy' | 'createdByUserId'>) => string
}

/** The names of users by id, and of those whom events know by e-mail address. */
export function useNames(latest: Snapshot | undefined, me: MeView, events: readonly EventView[]): Names {
  const known = namesIn(latest, me)
  const isUnknown = ({ createdByUserId: id }: EventView) => id != null && id > 0 && !known.has(id)
  const isIncomplete = latest !== undefined && events.some(isUnknown)
  // Only callers who can read the log get names from it.
  const { data: creators = [] } = useQuery(['event-creators'], isIncomplete ? client.eventCreators : undefined)
  const names = new Map<unknown, string>([
    ...events.map(({ createdByUserId, createdBy }) => [createdByUserId, createdBy] as const),
    ...creators.map(({ id, name }) => [id, name] as const),
    ...known,
  ])
  return {
    nameOf: (id) => names.get(id),
    actorOf: ({ createdBy, createdByUserId: id }) => (id == null ? undefined : names.get(id)) ?? createdBy,
  }
}

/** The names of all users in the review. Payloads are left out: they could contain false names. */
function namesIn(latest: Snapshot | undefined, me: MeView): ReadonlyMap<number, string> {
  const names = new Map<number, string>()
  const visit = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return
    if ('username' in value && value.username && 'id' in value) names.set(Number(value.id), String(value.username))
    Object.values(value).forEach(visit)
  }
  if (latest) {
    const { approvers, votes, voidedApprovals, discussion, presetSchedule, applying, ended, emergency } = latest.review
    visit([approvers, votes, voidedApprovals, discussion, presetSchedule, applying, ended, emergency])
    visit([latest.review.objections, latest.review.copiedFrom])
    visit([latest.review.author, latest.review.changes.map(({ author }) => author), latest.request.rejections])
  }
  visit(me)
  return names
}
