import { ChangeRequestError } from '../../errors'
import type { ConsumerStart } from '../../ports/consumers'
import type { ConsumerPosition, ConsumerStatus } from '../../ports/storage/consumers'
import type { EventCursor } from '../../ports/storage/events'
import type { Storage } from '../../ports/storage/storage'
import { eachEvent, fingerprintOf, idOf, parseEvent } from './event-bytes'

type Log = Pick<Storage, 'eventPage' | 'eventHead' | 'health'>

/** A position of a follower: an event, and everything before it. */
export interface LogPosition {
  readonly id: number
  /** Of the event with this id; empty if it is not known, or if there is no such event. */
  readonly fingerprint: string
}

/** Whether the log is the one that a position was stored for. */
export type Verdict = 'lost' | { readonly skipped: ConsumerStatus['skipped'] }

const unchanged: Verdict = { skipped: null }

export function positionText({ id, fingerprint }: LogPosition): string {
  return fingerprint === '' ? String(id) : `${id}-${fingerprint}`
}

/** Whether the log may be behind that of a primary. Also true if the store does not respond. */
export async function isStandby(storage: Pick<Storage, 'health'>): Promise<boolean> {
  const { reachable, recovery } = await storage.health()
  return !reachable || recovery === true
}

/** Whether the log lost a position, as by a restore or a failover; never true on a standby, whose log may be behind. */
export async function isLost(log: Log, position: LogPosition): Promise<boolean> {
  if (!(await isMissing(log, position)) || (await isStandby(log))) return false
  // The store may have been a standby until a moment ago.
  return isMissing(log, position)
}

async function isMissing(log: Log, { id, fingerprint }: LogPosition): Promise<boolean> {
  const { lastId } = await log.eventHead({})
  if (lastId < id) return true
  if (fingerprint === '') return false
  return (await judge(log, { position: id, event: { id, fingerprint } }, lastId)) === 'lost'
}

/** @throws ChangeRequestError BadDataError for an id above the newest one */
export async function startPosition(
  log: Pick<Log, 'eventPage' | 'eventHead'>,
  from: ConsumerStart,
): Promise<ConsumerPosition> {
  if (from === 'beginning') {
    // One below the oldest event, so that a later removal of events that were not read yet is noticed.
    const oldest = await nextTo(log, { after: 0 })
    return { position: oldest === undefined ? 0 : oldest.id - 1, event: null }
  }
  const { lastId, fingerprint } = await log.eventHead({})
  if (from === 'now') return { position: lastId, event: lastId === 0 ? null : { id: lastId, fingerprint } }
  if (from > lastId) {
    throw new ChangeRequestError('BadDataError', `The newest event has id ${lastId}; ${from} is above it.`)
  }
  return positionAt(log, from)
}

/** The position, with the newest event at or below it. */
export async function positionAt(log: Pick<Log, 'eventPage'>, position: number): Promise<ConsumerPosition> {
  return { position, event: (await nextTo(log, { before: position + 1 })) ?? null }
}

/**
 * Compares the log with a position that was stored before, and returns the position `to` in the same read. Read the events up
 * to `to` before: then they are from the log that is compared.
 *
 * @throws ChangeRequestError UnavailableError if the log is behind, as on a standby
 */
export async function checkPosition(
  log: Log,
  from: ConsumerPosition,
  to: number,
): Promise<{ readonly verdict: Verdict; readonly next: ConsumerPosition }> {
  const found = await readIds(log, [from.event?.id ?? to, to])
  const isUnchanged =
    from.event !== null && from.event.id === from.position && found.get(from.event.id) === from.event.fingerprint
  const verdict = isUnchanged ? unchanged : await judgeOnPrimary(log, from)
  if (verdict === 'lost') return { verdict, next: from }
  const fingerprint = found.get(to)
  if (fingerprint !== undefined) return { verdict, next: { position: to, event: { id: to, fingerprint } } }
  // Events up to `to` may be missing in what was read.
  if ((await log.eventHead({})).lastId < to) throw behind()
  return { verdict, next: await positionAt(log, to) }
}

function behind(): ChangeRequestError {
  return new ChangeRequestError('UnavailableError', 'The event log of the database is behind, as on a standby.')
}

/** The fingerprints of the events with these ids, of those that exist. */
export async function readIds(
  log: Pick<Log, 'eventPage'>,
  all: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const ids = [...new Set(all)]
  const { json } = await log.eventPage({ ids }, { after: 0 }, ids.length)
  return new Map(eachEvent({ json }).map((event) => [idOf(event), fingerprintOf(event)]))
}

/**
 * The events after a position at an event, without a filter, and the position after them. They are read together with that event, so that no other read is
 * needed to compare the log. Undefined if there are none, or if the log must be compared with {@link checkPosition}.
 */
export async function readAfter(log: Pick<Log, 'eventPage'>, { event }: ConsumerPosition, limit: number) {
  if (event === null) return undefined
  const page = await log.eventPage({}, { after: event.id - 1 }, limit + 1, true)
  const [first, ...served] = eachEvent(page)
  const last = served.at(-1)
  if (first === undefined || last === undefined) return undefined
  if (idOf(first) !== event.id || fingerprintOf(first) !== event.fingerprint) return undefined
  const id = idOf(last)
  return {
    events: served.map(parseEvent),
    served,
    next: { position: id, event: { id, fingerprint: fingerprintOf(last) } },
    length: page.json.length,
  }
}

async function judgeOnPrimary(log: Log, from: ConsumerPosition): Promise<Verdict> {
  const judgeNow = async () => judge(log, from, (await log.eventHead({})).lastId)
  const verdict = await judgeNow()
  if (verdict !== 'lost') return verdict
  if (await isStandby(log)) throw behind()
  // The store may have been a standby until a moment ago.
  return judgeNow()
}

/** Compares the log with a stored position (extensions 8, "Position"). */
async function judge(
  log: Pick<Log, 'eventPage'>,
  { position, event }: ConsumerPosition,
  lastId: number,
): Promise<Verdict> {
  const oldest = await nextTo(log, { after: 0 })
  // All events were removed: what is written next has a higher id, or shows that the log is another one.
  if (oldest === undefined) return unchanged
  if (lastId < position) return 'lost'
  if (event !== null && oldest.id <= event.id) {
    const found = await nextTo(log, { after: event.id - 1 })
    return found?.id === event.id && found.fingerprint === event.fingerprint ? unchanged : 'lost'
  }
  return oldest.id > position + 1 ? { skipped: { from: position + 1, to: oldest.id - 1 } } : unchanged
}

export async function nextTo(log: Pick<Log, 'eventPage'>, cursor: EventCursor): Promise<LogPosition | undefined> {
  const [event] = eachEvent(await log.eventPage({}, cursor, 1))
  return event && { id: idOf(event), fingerprint: fingerprintOf(event) }
}
