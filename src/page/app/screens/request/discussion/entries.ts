import type { DiscussionCommentView, EventType, EventView } from '../../../../../generated'

export interface CommentEntry {
  readonly kind: 'comment'
  readonly at: string
  readonly comment: DiscussionCommentView
}

/** Something that happened, perhaps several times in a row. */
export interface EventEntry {
  readonly kind: 'events'
  readonly at: string
  readonly events: readonly [EventView, ...EventView[]]
}

/** What the stream shows. */
export type Entry = CommentEntry | EventEntry

export type Filter = 'all' | 'comments' | 'history'

/** Activity by time; what one person did many times in a row is one entry. */
export function toEntries(
  comments: readonly DiscussionCommentView[],
  events: readonly EventView[],
  filter: Filter,
): readonly Entry[] {
  const said = comments.map((comment): Entry => ({ kind: 'comment', at: comment.createdAt, comment }))
  const happened = events.map((event): Entry => ({ kind: 'events', at: event.createdAt, events: [event] }))
  const all = [...(filter === 'comments' ? [] : happened), ...(filter === 'history' ? [] : said)]
  const entries: Entry[] = []
  for (const entry of all.sort((one, other) => Date.parse(one.at) - Date.parse(other.at))) {
    const last = entries.at(-1)
    if (last?.kind === 'events' && entry.kind === 'events' && isMore(last, entry)) {
      entries[entries.length - 1] = { ...last, events: [...last.events, ...entry.events] }
    } else entries.push(entry)
  }
  return entries
}

function isMore({ events: [one] }: EventEntry, { events: [other] }: EventEntry): boolean {
  return one.type === other.type && one.createdBy === other.createdBy && isEdit(one)
}

const edits: readonly string[] = ['change-added', 'change-edited', 'change-discarded'] satisfies EventType[]

/** Whether the event is about one change: it came, was edited or went. */
export function isEdit({ type }: Pick<EventView, 'type'>): boolean {
  return edits.includes(type)
}
