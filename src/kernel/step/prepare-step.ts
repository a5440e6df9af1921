import type { StepCommand } from '../../domain/decisions/decision'
import type { FlagState } from '../../domain/flag-state'
import type { GatheredFacts, StoredStep } from '../../domain/steps/steps'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'
import type { FactGatherer } from '../facts/gather'
import type { Services } from '../services'
import { arrive, settleArrival } from './arrive'
import { bind, gather, OutdatedFacts } from './bind'
import { contentOf } from './revision'
import type { StepInput } from './step-input'
import { findVisible } from './visible'

/** A step whose facts are gathered. */
export interface Prepared<S extends StoredStep> {
  readonly facts: GatheredFacts<S>
  /**
   * The input of the decision on the stored content.
   *
   * @throws OutdatedFacts if the facts are about other content.
   */
  commandFor(current: StoredChangeRequest): StepCommand<S>
  /** The same with facts about the flags that a transaction locked. */
  onFlags(flags: FlagState | undefined): Promise<Pick<Prepared<S>, 'commandFor'>>
}

/**
 * The phases of a step on a stored change request: arrive, settle an interrupted apply, gather the facts about the content,
 * and then, in `commit`, bind them to what is stored, decide and commit. Gathers again after a lost race, and if the content
 * has changed.
 *
 * @param commit Returns undefined for a lost race.
 */
export async function prepareStep<S extends StoredStep, Result>(
  services: Services,
  step: S,
  input: StepInput,
  commit: (found: StoredChangeRequest, prepared: Prepared<S>) => Promise<Result | undefined>,
): Promise<Result | StoredChangeRequest> {
  const arrival = await arrive(services, step, input)
  const start = await settleArrival(services, step, input, arrival)
  if ('completed' in start) return start.completed
  const { project, id } = start.stored.changeRequest
  return services.writer.retryOnConflict(async (first) => {
    const found = first ? start.stored : await findVisible(services, { project, id }, input.actor)
    const content = first ? start.content : contentOf(step, found.changeRequest)
    const prepare = async (gatherer: FactGatherer) => {
      const gathered = await gather(gatherer, step, input, { content, digest: start.digest })
      const commandFor = (current: StoredChangeRequest) => bind(services, step, arrival, start, gathered, current)
      return { facts: gathered.facts, commandFor }
    }
    const { stored, gatherer, contextOf } = arrival
    const source = found === stored ? gatherer : gatherer.about(contextOf(found.changeRequest), 'proposal')
    try {
      return await commit(found, { ...(await prepare(source)), onFlags: (flags) => prepare(source.onFlags(flags)) })
    } catch (error) {
      if (error instanceof OutdatedFacts) return undefined
      throw error
    }
  })
}
