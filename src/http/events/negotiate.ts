import type { EventFilter } from '../../ports/storage'
import { parseEventRange } from '../../validation/queries/event-export'
import type { Reply } from '../pipeline/reply'
import type { Call } from '../pipeline/request-context'
import type { RouteServices } from '../routes/route'
import { type EventExport, exportEvents, exportFormats } from './export'
import { followEvents } from './sse'

/** What a client may ask for by `Accept` on every address of the log; the first is what it gets without asking. */
const types = ['application/json', 'application/x-ndjson', 'text/csv', 'text/event-stream'] as const

/** How the events of one address are answered, in each of the formats. */
export interface EventAnswer {
  readonly filter: EventFilter
  /** Adds `groupType` and `groupId` to the events that have them (contract 9.1). */
  readonly grouped?: boolean
  readonly json: () => Promise<Reply>
}

/** The events in the format that the client prefers. */
export async function answerEvents(call: Call, services: RouteServices, answer: EventAnswer): Promise<Reply> {
  const type = call.accepts(types)
  switch (type) {
    case 'application/x-ndjson':
    case 'text/csv':
      return exportEvents(services.storage, toExport(call, answer), exportFormats[type])
    case 'text/event-stream':
      return followEvents(call, services, answer)
    default:
      return answer.json()
  }
}

function toExport(call: Call, { filter, grouped = false }: EventAnswer): EventExport {
  return { filter, grouped, range: parseEventRange(call.query) }
}
