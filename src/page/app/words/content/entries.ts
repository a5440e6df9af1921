import type { DiscussionCommentView, EventType, EventView } from '../../../../generated'
import type { UnloggedStep } from '../unlogged-steps'

export interface CommentEntry {
  readonly kind: 'comment'
  readonly at: string
  readonly comment: DiscussionCommentView
}

/** An event, or several similar ones in a row. */
export interface EventEntry {
  readonly kind: 'events'
  readonly at: string
  readonly events: readonly [EventView, ...EventView[]]
}

/** A step that the log has no event about. */
export interface StepEntry extends UnloggedStep {
  readonly kind: 'step'
}

/** An item of the activity. */
export type Entry = CommentEntry | EventEntry | StepEntry

export type Filter = 'all' | 'comments' | 'history'

/** The activity by time. Consecutive edits of one user are one entry. */
export function toEntries(
  discussion: readonly DiscussionCommentView[],
  events: readonly EventView[],
  filter: Filter,
  steps: readonly UnloggedStep[] = [],
): readonly Entry[] {
  const comments = discussion.map((comment): Entry => ({ kind: 'comment', at: comment.createdAt, comment }))
  const single = events.map((event): Entry => ({ kind: 'events', at: event.createdAt, events: [event] }))
  const unlogged = steps.map((step): Entry => ({ kind: 'step', ...step }))
  const all = [...(filter === 'comments' ? [] : [...single, ...unlogged]), ...(filter === 'history' ? [] : comments)]
  const entries: Entry[] = []
  for (const entry of all.sort((one, other) => Date.parse(one.at) - Date.parse(other.at))) {
    const last = entries.at(-1)
    if (last?.kind === 'events' && entry.kind === 'events' && isSimilar(last, entry)) {
      entries[entries.length - 1] = { ...last, events: [...last.events, ...entry.events] }
    } else entries.push(entry)
  }
  return entries
}

function isSimilar({ events: [one] }: EventEntry, { events: [other] }: EventEntry): boolean {
  return one.type === other.type && one.createdBy === other.createdBy && isEdit(one)
}

const edits: readonly string[] = ['change-added', 'change-edited', 'change-discarded'] satisfies EventType[]

/** Whether the event is about one change of the change request. */
export function isEdit({ type }: Pick<EventView, 'type'>): boolean {
  return edits.includes(type)
}
