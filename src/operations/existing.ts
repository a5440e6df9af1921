import { requireSettled } from '../domain/application'
import type { Decision, Reviewer } from '../domain/decision'
import { ChangeRequestError } from '../errors'
import type { Actor, Permission } from '../ports/access'
import type { StoredChangeRequest } from '../ports/storage'
import { requirePerson } from './author'
import { holds, requirePermission } from './permissions'
import { boundTo } from './revision'
import { now, type Services } from './services'
import type { Command, FreshIds } from './write'

/** Who calls, and what every write may carry. */
export interface Caller {
  readonly actor: Actor
  readonly ip: string | undefined
  readonly ifMatch: string | undefined
}

/** A change request by project and id. */
export interface Reference {
  readonly project: string
  /** Undefined: the id in the path can name nothing. */
  readonly id: number | undefined
}

/**
 * The change request, if it is there for the caller: somebody else's draft is not (contract 6.3).
 *
 * @throws NotFoundError
 */
export async function findVisible({ storage }: Services, { project, id }: Reference, actor: Actor) {
  const stored = id === undefined ? undefined : await storage.find({ project }, id)
  return visible(stored, actor.id, id)
}

/** @throws NotFoundError when there is none, or it is the draft of another person. */
export function visible(stored: StoredChangeRequest | undefined, userId: number | null, id: number | undefined) {
  if (stored !== undefined) {
    const { state, createdBy } = stored.changeRequest
    if (state !== 'Draft' || createdBy.id === userId) return stored
  }
  throw new ChangeRequestError('NotFoundError', `There is no change request ${id ?? 'with this id'} in the project.`)
}

/** The queue of a change request that exists. */
export function queueOf(id: number): string {
  return `change request ${id}`
}

/** The person behind the call, with what the rules ask of them. @throws OperationDeniedError for no person. */
export async function toReviewer(services: Services, { actor, ip }: Caller): Promise<Reviewer> {
  const author = requirePerson(actor, ip, services)
  return { author, admin: await holds(services, actor, 'ADMIN', {}) }
}

export interface ExistingWrite extends Reference {
  /** The change request as {@link findVisible} gave it, where something had to be known of it before. */
  readonly found?: StoredChangeRequest
  /** Asked for in the environment of the change request; undefined where the rules ask for more than one. */
  readonly permission: Permission | undefined
  readonly changeIds?: number
  readonly idempotency?: Command['idempotency'] | undefined
  /** What speaks against the write whatever the change request holds. */
  readonly obstacle?: ChangeRequestError | undefined
  decide(current: StoredChangeRequest, by: Reviewer, now: string, ids: FreshIds): Decision
}

/** Decides on a change request that exists and commits, in the order of checks of contract 11.4 from its step 9 on. */
export async function writeExisting(
  services: Services,
  caller: Caller,
  write: ExistingWrite,
): Promise<StoredChangeRequest> {
  const { storage, writer } = services
  const { project, permission, changeIds = 0, idempotency, obstacle } = write
  const found = write.found ?? (await findVisible(services, write, caller.actor))
  const { id, environment } = found.changeRequest
  if (permission !== undefined) {
    await requirePermission(services, caller.actor, permission, { project, environment })
  }
  const by = await toReviewer(services, caller)
  return writer.write(queueOf(id), () => storage.find({ project }, id), {
    changeIds,
    ...(idempotency === undefined ? {} : { idempotency }),
    decide: (loaded, ids) => {
      const current = visible(loaded, caller.actor.id, id)
      const decide = () => {
        requireSettled(current.changeRequest)
        return write.decide(current, by, now(services), ids)
      }
      return boundTo(caller.ifMatch, current, decide, obstacle)
    },
  })
}
