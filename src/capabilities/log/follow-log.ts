import { checkOption, refuseUnknownOptions } from '../../check-options'
import type { EventView } from '../../generated/index'
import { parsedEvents } from '../../kernel/log/event-bytes'
import { followPages } from '../../kernel/log/follow'
import { checkLogFilter } from '../../kernel/log/log-filter'
import type { Services } from '../../kernel/services'
import type { EventFollowOptions } from '../../ports/event-log'
import { checkId } from './read-log'

const owner = 'events.follow'

/** New events, for the host app. @throws TypeError that names the option */
export function followLog(services: Services, query: EventFollowOptions = {}): AsyncIterable<EventView> {
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
