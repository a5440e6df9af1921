import { checkOption, refuseUnknownOptions } from '../../check-options'
import { parsedEvents } from '../../kernel/log/event-bytes'
import { checkLogFilter } from '../../kernel/log/log-filter'
import type { EventReadOptions, EventReadPage } from '../../ports/event-log'
import { type EventStorage, newest } from '../../ports/storage/events'

const owner = 'events.read'
const known: readonly string[] = ['filter', 'after', 'before', 'limit']
const maxLimit = 1_000

/** One page of the log, for the host app. @throws TypeError that names the option */
export async function readLog(
  storage: Pick<EventStorage, 'eventPage'>,
  query: EventReadOptions = {},
): Promise<EventReadPage> {
  refuseUnknownOptions(owner, query, known)
  const { filter, after, before, limit = 50 } = query
  const parsed = checkLogFilter(owner, filter)
  for (const [name, id] of Object.entries({ after, before })) checkId(owner, name, id)
  if (after !== undefined && before !== undefined) throw new TypeError(`${owner}: use "after" or "before", not both.`)
  const isLimit = Number.isInteger(limit) && limit >= 1 && limit <= maxLimit
  checkOption(owner, 'limit', isLimit, `an integer from 1 to ${maxLimit}`)
  const cursor = after !== undefined ? { after } : before !== undefined ? { before } : newest
  // One more than the page shows whether there is a next one.
  const found = parsedEvents(await storage.eventPage(parsed, cursor, limit + 1, true))
  const events = found.slice(0, limit)
  return { events, next: found.length > limit ? (events.at(-1)?.id ?? null) : null }
}

/** @throws TypeError that names the option */
export function checkId(owner: string, name: string, id: number | undefined): void {
  const fits = id === undefined || (Number.isSafeInteger(id) && id >= 0)
  checkOption(owner, name, fits, 'the id of an event')
}
