import { type LifeEvent, type Replayed, replay } from '../domain/events/replay'
import { eachEvent, idOf } from '../kernel/log/event-bytes'
import type { Storage } from '../ports/storage/storage'
import { parsedObject } from './check-event'

/** What the events of a change request say about it. */
export interface Life {
  /** Undefined if the log does not have its first event. */
  readonly replayed: Replayed | undefined
  /** The users whose last approval was allowed by the option `adminSelfApproval`. */
  readonly selfApprovals: ReadonlySet<number | null>
}

const pageSize = 1_000

/**
 * The lives of change requests, each up to the newest event that it had when it was read.
 *
 * @param lastIds the id of that event, by change request
 */
export async function livesOf(
  storage: Pick<Storage, 'eventPage'>,
  lastIds: ReadonlyMap<number, number>,
): Promise<ReadonlyMap<number, Life>> {
  const lives = new Map<number, Life>()
  const filter = { changeRequestIds: [...lastIds.keys()] }
  let after = Number.MIN_SAFE_INTEGER
  for (let isMore = lastIds.size > 0; isMore; ) {
    const page = await storage.eventPage(filter, { after }, pageSize)
    for (const bytes of eachEvent(page)) {
      const event = parsedObject(bytes) as EventOf | undefined
      const changeRequest = (event?.data ?? event?.preData)?.changeRequestId
      // One that is not JSON was found with the events.
      if (event === undefined || typeof changeRequest !== 'number') continue
      const id = idOf(bytes)
      if (id <= (lastIds.get(changeRequest) ?? 0)) {
        lives.set(changeRequest, lifeAfter(lives.get(changeRequest), { ...event, id }))
      }
    }
    isMore = page.searched === pageSize
    after = page.lastId
  }
  return lives
}

interface EventOf extends LifeEvent {
  readonly preData: LifeEvent['data']
}

function lifeAfter(before: Life = { replayed: undefined, selfApprovals: new Set() }, event: LifeEvent): Life {
  const replayed = replay(before.replayed, event)
  if (event.type !== 'change-request-approval-added') return { ...before, replayed }
  const selfApprovals = new Set(before.selfApprovals)
  if (event.data?.selfApproval === true) selfApprovals.add(event.createdByUserId)
  else selfApprovals.delete(event.createdByUserId)
  return { replayed, selfApprovals }
}
