import { type Day, dayIn } from '../../../core/tools/local-time'

interface Dated {
  readonly id: number
  readonly createdAt: string
}

/** A row of the list: an event, the day that begins below it, or the place of newer events that were dropped. */
export type LogRow<E extends Dated = Dated> =
  | { readonly kind: 'event'; readonly key: string; readonly day: Day; readonly event: E; readonly place: number }
  | { readonly kind: 'day'; readonly key: string; readonly day: Day }
  | { readonly kind: 'dropped'; readonly key: string; readonly day: Day }

/** The events with a row for each further day; the first one is shown above the list. */
export function toRows<E extends Dated>(events: readonly E[], zone: string, above = 0): LogRow<E>[] {
  const rows: LogRow<E>[] = []
  const [first] = events
  if (above > 0 && first !== undefined) {
    rows.push({ kind: 'dropped', key: 'dropped', day: dayIn(zone, first.createdAt) })
  }
  for (const [place, event] of events.entries()) {
    const day = dayIn(zone, event.createdAt)
    // Two clocks may disagree around midnight: a day can come twice, and its rows still need keys of their own.
    if (place > 0 && rows.at(-1)?.day !== day) rows.push({ kind: 'day', key: `day ${day} ${event.id}`, day })
    rows.push({ kind: 'event', key: `event ${event.id}`, day, event, place })
  }
  return rows
}

/** The next row with an event, from one row on; the same one at the ends. */
export function nextEvent(rows: readonly LogRow[], from: number, step: 1 | -1): number {
  for (let index = from + step; index >= 0 && index < rows.length; index += step) {
    if (rows[index]?.kind === 'event') return index
  }
  return from
}
