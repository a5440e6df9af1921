import type { ChangeRequest } from '../../domain/change-request'
import type { Decision, StepCommand } from '../../domain/decisions/decision'
import type { Step, StoredStep } from '../../domain/steps/steps'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'
import type { Storage } from '../../ports/storage/storage'
import { placeFacts } from '../facts/place'
import { type SettingsReader, settingsReader } from '../host/settings'
import type { Services } from '../services'
import type { Load, WriteJob } from '../writer/aggregate-writer'
import type { FreshIds, Loaded } from '../writer/decide-all'
import { prepareStep } from './prepare-step'
import { type Caller, type ProposalPlace, type Reference, type StepInput, visible } from './step-input'

export type WriteCommand<S extends Step> = StepCommand<S> & { readonly ids: FreshIds }

export function queueOf(id: number): string {
  return `change request ${id}`
}

/** The commit of a proposal waits for the other proposals of the caller in the place, and loads the open change request. */
export function proposalQueue({ storage }: Services, { actor }: Pick<Caller, 'actor'>, place: ProposalPlace) {
  const { project, environment } = place
  const key = { project, environment, userId: actor.id as number }
  const load = async (count: number): Promise<Loaded> => {
    const { open, settings, changeRequestId, changeIds } = await storage.loadProposal(key, count)
    return { current: open, ids: { changeRequest: changeRequestId, changes: changeIds }, settings }
  }
  return { key: JSON.stringify(key), load }
}

/** The ids are allocated after the read, so that they are greater than those in the change request. */
export async function loadExisting(
  storage: Storage,
  { project, id }: Required<Reference>,
  changeIds: number,
  found?: StoredChangeRequest,
): Promise<Loaded> {
  const current = found ?? (id === undefined ? undefined : await storage.find({ project }, id))
  const changes = changeIds === 0 ? [] : await storage.nextIds('change', changeIds)
  return { current, ids: { changeRequest: 0, changes } }
}

/**
 * Takes a step on a stored change request: gathers the facts, decides, and commits, in the order of contract 11.4 from its
 * row 9 on. No hook is awaited while the write blocks its queue, and nothing is decided on facts about other content
 * (contract 12).
 *
 * @param decide Pure; it may be called more than once.
 */
export function performStep<S extends StoredStep>(
  services: Services,
  step: S,
  input: StepInput,
  decide: (current: ChangeRequest, command: WriteCommand<S>) => Decision,
): Promise<StoredChangeRequest> {
  const { storage, writer } = services
  const { actor, project, createsIn, idempotency } = input
  let reader: Promise<SettingsReader> | undefined
  return prepareStep(services, step, input, async (found, { facts, commandFor }) => {
    const { id } = found.changeRequest
    const changeIds = input.changeIds?.(found.changeRequest, facts) ?? 0
    const shared = { changeIds, ...(idempotency && { idempotency }) }
    if (createsIn !== undefined) {
      const { key, load } = proposalQueue(services, input, createsIn)
      // Not again after a lost race.
      reader ??= settingsReader(services, createsIn)
      const settingsIn = await reader
      return writer.write(key, load, {
        ...shared,
        decide(open, ids, settings) {
          const command = commandFor(found)
          const known = { ...command.facts, ...placeFacts(settingsIn(settings), open) }
          return decide(found.changeRequest, { ...command, facts: known, ids })
        },
      })
    }
    const load: Load = (count, read) => loadExisting(storage, { project, id }, count, read)
    const decideOn: WriteJob['decide'] = (loaded, ids) => {
      const current = visible(loaded, actor.id, id)
      return decide(current.changeRequest, { ...commandFor(current), ids })
    }
    return writer.write(queueOf(id), load, { ...shared, decide: decideOn }, found)
  })
}

/** Takes a step that can schedule the change request, and wakes the scheduler. */
export async function performSchedulingStep<S extends StoredStep>(
  ...step: Parameters<typeof performStep<S>>
): Promise<StoredChangeRequest> {
  const stored = await performStep(...step)
  if (stored.changeRequest.state === 'Scheduled') step[0].onScheduled?.()
  return stored
}
