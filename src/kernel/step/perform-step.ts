import type { ChangeRequest } from '../../domain/change-request'
import type { Decision, StepCommand } from '../../domain/decisions/decision'
import type { Step } from '../../domain/steps/steps'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'
import type { Storage } from '../../ports/storage/storage'
import { placeFacts } from '../facts/place'
import type { Services } from '../services'
import type { FreshIds, Loaded } from '../writer/decide-all'
import { isNew, prepareStep, type StepInput } from './prepare-step'
import { type Reference, visible } from './visible'

/** The input of a decision, with ids for what it creates. */
export type WriteCommand<S extends Step> = StepCommand<S> & { readonly ids: FreshIds }

/** The key of the queue of a change request that exists. */
export function queueOf(id: number): string {
  return `change request ${id}`
}

/** The ids are allocated after the read, so that they are greater than those in the change request. */
export async function loadExisting(
  storage: Storage,
  { project, id }: Required<Reference>,
  changeIds: number,
): Promise<Loaded> {
  const current = id === undefined ? undefined : await storage.find({ project }, id)
  const changes = changeIds === 0 ? [] : await storage.nextIds('change', changeIds)
  return { current, ids: { changeRequest: 0, changes } }
}

/**
 * Takes a step: gathers the facts, decides, and commits, in the order of contract 11.4 from its row 9 on. No hook is awaited
 * while the write blocks its queue, and nothing is decided on facts about other content (contract 12).
 *
 * @param decide Pure; it may be called more than once.
 */
export function performStep<S extends Step>(
  services: Services,
  step: S,
  input: StepInput,
  decide: (current: ChangeRequest, command: WriteCommand<S>) => Decision,
): Promise<StoredChangeRequest> {
  const { storage, writer } = services
  const { actor, project, proposesIn, idempotency } = input
  return prepareStep(services, step, input, (found, prepared) => {
    const { id } = found.changeRequest
    const shared = {
      changeIds: input.changeIds?.(found.changeRequest, prepared.facts) ?? 0,
      ...(idempotency && { idempotency }),
    }
    if (proposesIn !== undefined) {
      const key = { ...proposesIn, userId: actor.id as number }
      return writer.write(JSON.stringify(key), (count) => writer.proposals.load(key, count), {
        ...shared,
        decide(open, ids, settings) {
          const current = input.found !== undefined && isNew(input.found) ? (open ?? input.found) : found
          const command = prepared.commandFor(current)
          const facts = { ...command.facts, ...placeFacts(services, { open, settings }) }
          return decide(current.changeRequest, { ...command, facts, ids })
        },
      })
    }
    return writer.write(queueOf(id), (count) => loadExisting(storage, { project, id }, count), {
      ...shared,
      decide(loaded, ids) {
        const current = visible(loaded, actor.id, id)
        return decide(current.changeRequest, { ...prepared.commandFor(current), ids })
      },
    })
  })
}
