import type { ChangeRequest } from '../../domain/change-request'
import { dueAt, fail, suspend } from '../../domain/decisions/schedule'
import type { Obstacle } from '../../domain/schedule/obstacles'
import { now } from '../../kernel/host-services'
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
  let stopped = false
  await writer.write(queueOf(id), (count) => loadExisting(storage, { project, id }, count), {
    changeIds: 0,
    decide(loaded) {
      const current = (loaded ?? found).changeRequest
      stopped = loaded !== undefined && sameSchedule(current, found.changeRequest)
      return stopped ? decide(services, current, obstacle) : { changeRequest: current, events: [] }
    },
  })
  return stopped ? obstacle.status : 'not-due'
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
