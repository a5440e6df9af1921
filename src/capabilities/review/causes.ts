import type { ChangeRequest } from '../../domain/change-request'
import type { ChangeDiff } from '../../domain/diff/diff'
import { findPeople } from '../../kernel/host/find-users'
import type { HostServices } from '../../kernel/host-services'
import { changeRequestOf, newestTargetEvents, type TargetEvent } from '../../kernel/log/target-events'
import { canSeeActivity } from '../../kernel/view/event-visibility'
import type { Actor } from '../../ports/access'
import type { Storage } from '../../ports/storage/storage'

export interface Cause {
  readonly eventId: number
  /** The current name of the user, as the rest of the review has it; else as in the event. */
  readonly createdBy: string
  readonly createdAt: string
  readonly changeRequestId?: number
}

/**
 * The newest event about each change that conflicts or overwrites, by its id: absent if the log has none, or if it belongs to
 * a project whose activity the caller cannot see (contract 16).
 */
export async function findCauses(
  services: HostServices,
  actor: Actor,
  changeRequest: ChangeRequest,
  diffs: readonly ChangeDiff[],
): Promise<ReadonlyMap<number, Cause>> {
  const { storage } = services
  const questioned = diffs.filter(({ conflict, fields }) => conflict !== null || fields.some((one) => one.overwrites))
  const ids = new Set(questioned.map(({ id }) => id))
  const changes = changeRequest.changes.filter(({ id }) => ids.has(id))
  const newest = newestTargetEvents(storage, changeRequest)
  const isVisible = visibleTo(services, actor, changeRequest)
  const found = changes.map(async (change) => {
    const event = await newest(change)
    if (event === undefined || !(await isVisible(event))) return undefined
    return [change.id, event, await toCause(storage, event)] as const
  })
  const causes = (await Promise.all(found)).filter((one) => one !== undefined)
  const people = await findPeople(services, new Set(causes.map(([, event]) => userIdOf(event)).filter((id) => id > 0)))
  return new Map(
    causes.map(([id, event, cause]) => {
      const createdBy = people?.get(userIdOf(event))?.username ?? cause.createdBy
      return [id, { ...cause, createdBy }]
    }),
  )
}

/** Segments can also be changed from other projects. Anyone who sees the change request can see the activity in its project. */
function visibleTo(services: HostServices, actor: Actor, own: ChangeRequest) {
  const known = new Map<string, Promise<boolean>>()
  return async ({ project }: TargetEvent): Promise<boolean> => {
    if (project === null || project === own.project) return true
    const answer = known.get(project) ?? canSeeActivity(services, actor, project)
    known.set(project, answer)
    return answer
  }
}

/** 0 without a user; the system and admin tokens have negative ids. */
function userIdOf({ createdByUserId }: TargetEvent): number {
  return createdByUserId ?? 0
}

async function toCause(storage: Storage, event: TargetEvent): Promise<Cause> {
  const { id: eventId, createdBy, createdAt } = event
  const changeRequestId = await changeRequestOf(storage, event)
  return { eventId, createdBy, createdAt, ...(changeRequestId !== undefined && { changeRequestId }) }
}
