import type { Decision, DecisionOccasion } from '../domain/decisions/decision'
import { requireCaller, type Step } from '../domain/steps/steps'
import type { ChangeRequestError } from '../errors'
import type { Actor } from '../ports/access'
import type { OpenKey, StoredChangeRequest } from '../ports/storage/change-requests'
import type { Storage } from '../ports/storage/storage'
import { gatherFacts } from './facts/step-facts'
import { digestOf } from './flags/digest'
import { requirePerson } from './people/author'
import { decideInOrder, revisionMismatch } from './preconditions'
import { now, type Services } from './services'
import { digestsBefore, ifMatchAfter, settleFirst } from './settle'
import { findVisible, type Reference, visible } from './visible'
import type { Command } from './writer/aggregate-writer'
import type { FreshIds, Loaded } from './writer/decide-all'

/** The caller, and what every write may send. */
export interface Caller {
  readonly actor: Actor
  readonly ip: string | undefined
  readonly ifMatch: string | undefined
  /** What the commit stores for a retry; undefined unless the call carries an `Idempotency-Key`. */
  readonly idempotency?: Command['idempotency'] | undefined
}

/** The queue of a change request that exists. */
export function queueOf(id: number): string {
  return `change request ${id}`
}

/** The input of a decision beside the change request. */
export interface Occasion extends DecisionOccasion {
  readonly ids: FreshIds
}

export interface ExistingWrite<Facts> extends Reference {
  /** What {@link findVisible} returned, where the caller has it already. */
  readonly found?: StoredChangeRequest
  /** What is done: its rules say which permissions the host is asked for. `decide` asks these rules for all else. */
  readonly step: Step
  /** How many ids of changes the decision may take, on the content that was read. */
  changeIds?(found: StoredChangeRequest): number
  /** Collects what only hooks and settings know about the content that was read. Called after the caller was checked. */
  gather?(found: StoredChangeRequest): Promise<Facts>
  /** Returns a refusal that does not depend on the content of the change request: it comes before its state. */
  obstacle?(facts: Facts): ChangeRequestError | undefined
  /**
   * Returns the error where the write may not be decided on the present content. Without this function, facts about
   * other content are gathered again.
   *
   * @param sameContent False when the changes were altered after they were read.
   * @param seenBefore Digests that count as well: those of before an interrupted apply was settled.
   */
  precondition?(facts: Facts, sameContent: boolean, seenBefore: readonly string[]): ChangeRequestError | undefined
  decide(current: StoredChangeRequest, occasion: Occasion, facts: Facts): Decision
}

/** The ids are drawn after the read, so that they are greater than those in what was read. */
export async function loadExisting(
  storage: Storage,
  { project, id }: Required<Reference>,
  changeIds: number,
): Promise<Loaded> {
  const current = id === undefined ? undefined : await storage.find({ project }, id)
  const changes = changeIds === 0 ? [] : await storage.nextIds('change', changeIds)
  return { current, ids: { changeRequest: 0, changes } }
}

/** What a proposal of the person is decided on: their open change request in the place, its settings, and fresh ids. */
export async function loadProposal(storage: Storage, key: OpenKey, changeIds: number): Promise<Loaded> {
  const { open, settings, ...fresh } = await storage.loadProposal(key, changeIds)
  return { current: open, ids: { changeRequest: fresh.changeRequestId, changes: fresh.changeIds }, settings }
}

/** The changes were altered between the facts about them and the decision. */
export class OutdatedFacts extends Error {}

/** For `retryOnConflict`: facts are gathered again. */
export function retryOutdated(error: unknown): undefined {
  if (error instanceof OutdatedFacts) return undefined
  throw error
}

/**
 * Decides on a change request that exists and commits, in the order of checks of contract 11.4 from its step 9 on. No
 * hook is awaited while the write has its turn, and nothing is decided on facts about other content (extensions 1).
 */
export async function writeExisting<Facts = undefined>(
  services: Services,
  caller: Caller,
  write: ExistingWrite<Facts>,
): Promise<StoredChangeRequest> {
  const { storage, writer } = services
  const { project, step } = write
  const { idempotency } = caller
  const arrived = write.found ?? (await findVisible(services, write, caller.actor))
  const { id } = arrived.changeRequest
  const facts = await gatherFacts(services, caller.actor, arrived.changeRequest, step)
  requireCaller(step, arrived.changeRequest, facts)
  const by = { author: requirePerson(caller.actor, caller.ip, services), groups: caller.actor.groups ?? [] }
  let found = await settleFirst(services, arrived)
  const ifMatch = ifMatchAfter(caller.ifMatch, arrived, found)
  const seenBefore = write.precondition === undefined ? [] : await digestsBefore(services, arrived, found)
  return writer.retryOnConflict(async (first) => {
    if (!first) found = await findVisible(services, { project, id }, caller.actor)
    const gathered = (await write.gather?.(found)) as Facts
    const content = write.gather && digestOf(found.changeRequest)
    const command: Command = {
      changeIds: write.changeIds?.(found) ?? 0,
      ...(idempotency === undefined ? {} : { idempotency }),
      decide: (loaded, ids) => {
        const current = visible(loaded, caller.actor.id, id)
        const sameContent = content === undefined || digestOf(current.changeRequest) === content
        if (!sameContent && write.precondition === undefined) throw new OutdatedFacts()
        const refusal = revisionMismatch(ifMatch, current) ?? write.precondition?.(gathered, sameContent, seenBefore)
        const decide = () => write.decide(current, { by, now: now(services), ids, facts }, gathered)
        return decideInOrder(decide, refusal, write.obstacle?.(gathered))
      },
    }
    return writer
      .write(queueOf(id), (count) => loadExisting(storage, { project, id }, count), command)
      .catch(retryOutdated)
  })
}
