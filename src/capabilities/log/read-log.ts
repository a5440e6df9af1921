import { checkOption, refuseUnknownOptions } from '../../check-options'
import type { EventView } from '../../generated/index'
import { parsedEvents } from '../../kernel/log/event-bytes'
import { followPages } from '../../kernel/log/follow'
import { checkLogFilter } from '../../kernel/log/log-filter'
import type { Services } from '../../kernel/services'
import type { EventFollowOptions, EventReadOptions, EventReadPage } from '../../ports/event-log'
import { type EventStorage, newest } from '../../ports/storage/events'

const maxLimit = 1_000

/** One page of the log, for the host app. @throws TypeError that names the option */
export async function readLog(
  storage: Pick<EventStorage, 'eventPage'>,
  query: EventReadOptions = {},
): Promise<EventReadPage> {
  const owner = 'events.read'
  refuseUnknownOptions(owner, query, ['filter', 'after', 'before', 'limit'])
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

/** New events, for the host app. @throws TypeError that names the option */
export function followLog(services: Services, query: EventFollowOptions = {}): AsyncIterable<EventView> {
  const owner = 'events.follow'
  refuseUnknownOptions(owner, query, ['filter', 'after', 'signal'])
  const { after, signal = new AbortController().signal } = query
  const filter = checkLogFilter(owner, query.filter)
  checkId(owner, 'after', after)
  checkOption(owner, 'signal', signal instanceof AbortSignal, 'an AbortSignal')
  return eventsOf(followPages(services, { filter, grouped: true, after, signal }), signal)
}

async function* eventsOf(
  pages: ReturnType<typeof followPages>,
  signal: AbortSignal,
): AsyncGenerator<EventView, void, void> {
  for await (const { page } of pages) {
    for (const event of parsedEvents(page)) {
      if (signal.aborted) return
      yield event
    }
  }
}

function checkId(owner: string, name: string, id: number | undefined): void {
  const fits = id === undefined || (Number.isSafeInteger(id) && id >= 0)
  checkOption(owner, name, fits, 'the id of an event')
}
