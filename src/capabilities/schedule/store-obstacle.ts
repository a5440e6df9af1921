import type { ChangeRequest, Hold } from '../../domain/change-request'
import { summarize } from '../../domain/content/summary'
import { dueAt, endHold, fail, hold, suspend } from '../../domain/decisions/schedule'
import { nextCheck } from '../../domain/freezes/freeze'
import { byInstant } from '../../domain/instants'
import { type Obstacle, withLinkHint } from '../../domain/schedule/obstacles'
import { now } from '../../kernel/host-services'
import { changeRequestOf, newestTargetEvents } from '../../kernel/log/target-events'
import type { Services } from '../../kernel/services'
import { loadExisting, queueOf } from '../../kernel/step/perform-step'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'

/** Stores why the change request is not applied, with the event, unless its schedule has changed. */
export async function storeObstacle(
  services: Services,
  found: StoredChangeRequest,
  obstacle: Obstacle,
): Promise<Obstacle['status'] | 'not-due'> {
  const { storage, writer } = services
  const { project, id } = found.changeRequest
  const explained = await withCause(services, found.changeRequest, obstacle)
  let stopped = false
  await writer.write(queueOf(id), (count) => loadExisting(storage, { project, id }, count), {
    changeIds: 0,
    decide(loaded) {
      const current = (loaded ?? found).changeRequest
      stopped = loaded !== undefined && sameSchedule(current, found.changeRequest)
      return stopped ? decide(services, current, explained) : { changeRequest: current, events: [] }
    },
  })
  return stopped ? obstacle.status : 'not-due'
}

/** Names the other change request that changed the target, if one did. */
async function withCause({ storage }: Services, changeRequest: ChangeRequest, obstacle: Obstacle): Promise<Obstacle> {
  const newest = newestTargetEvents(storage, changeRequest)
  for (const change of obstacle.changed ?? []) {
    const event = await newest(change)
    const isLater =
      event !== undefined && byInstant(event.createdAt, changeRequest.stateTimestamps.Scheduled ?? '') >= 0
    const changedBy = isLater ? await changeRequestOf(storage, event) : undefined
    if (changedBy !== undefined) return withLinkHint(obstacle, changedBy)
  }
  return obstacle
}

function decide(services: Services, current: ChangeRequest, { status, reason }: Obstacle) {
  const author = current.scheduling?.by
  const at = now(services)
  return status === 'failed' && author !== undefined
    ? fail(current, { by: { author }, now: at }, reason)
    : suspend(current, at, reason)
}

/** False after it was applied, stopped or scheduled again, and while it is being applied. */
function sameSchedule(current: ChangeRequest, found: ChangeRequest): boolean {
  const entry = ({ stateTimestamps }: ChangeRequest) => stateTimestamps.Scheduled
  // The end of a hold does not change the schedule.
  const isSame = current.schedule?.scheduledAt === found.schedule?.scheduledAt && entry(current) === entry(found)
  return dueAt(current) !== null && isSame && current.applying == null
}

/** Stores that a freeze delays the change request, and when the freezes are checked again. */
export async function storeHold(services: Services, found: StoredChangeRequest, held: Hold): Promise<'held'> {
  await store(services, found.version, hold(found.changeRequest, held), nextCheck(held, now(services)))
  return 'held'
}

/** Stores that nothing has delayed it since then. Its place among the due ones stays. */
export async function storeEndOfHold(services: Services, { version, changeRequest }: StoredChangeRequest, at: string) {
  const ended = endHold(changeRequest, at)
  await store(services, version, ended, null)
  return { version, changeRequest: ended }
}

async function store({ storage }: Services, version: number, changeRequest: ChangeRequest, dueAt: string | null) {
  await storage.hold({ version, changeRequest, summary: summarize(changeRequest), dueAt })
}
