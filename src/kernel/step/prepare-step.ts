import type { StepCommand } from '../../domain/decisions/decision'
import type { FlagState } from '../../domain/flag-state'
import { hasSamePreset } from '../../domain/schedule/preset'
import { type GatheredFacts, needsOf, revisionNeedOf, type StoredStep } from '../../domain/steps/steps'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'
import { decisionTime } from '../facts/expiry'
import type { FactGatherer } from '../facts/gather'
import { placeFactNames } from '../facts/place'
import type { Services } from '../services'
import { type Arrival, arrive, contentOf, revisionFacts, type Start, settleArrival } from './arrive'
import { findVisible, type StepInput } from './step-input'

interface Prepared<S extends StoredStep> {
  readonly facts: GatheredFacts<S>
  commandFor(current: StoredChangeRequest): StepCommand<S>
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
      // The commit of a proposal reads the facts about its place.
      const facts = await gatherer.forStep(step, ...(input.createsIn === undefined ? [] : placeFactNames))
      const currentDigest = start.digest === undefined ? undefined : await gatherer.get('digest')
      const gathered = { facts, content, currentDigest }
      const commandFor = (current: StoredChangeRequest) => {
        requireSamePreset(step, found, current)
        return bind(services, step, arrival, start, gathered, current)
      }
      return { facts, commandFor }
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

/** The stored content or the preset schedule differs from the one that the facts are about. */
class OutdatedFacts extends Error {}

/** A step that puts a preset schedule into effect, whatever it is: one that must have seen it is rejected instead. */
function requireSamePreset(step: StoredStep, found: StoredChangeRequest, current: StoredChangeRequest): void {
  if (revisionNeedOf(step).seesPreset || !needsOf(step, 'decision').includes('preset')) return
  if (!hasSamePreset(found.changeRequest, current.changeRequest)) throw new OutdatedFacts()
}

interface Gathered<S extends StoredStep> {
  readonly facts: GatheredFacts<S>
  readonly content: string | undefined
  /** The digest of what would be applied; undefined unless the caller stated one. */
  readonly currentDigest: string | undefined
}

function bind<S extends StoredStep>(
  services: Services,
  step: S,
  { by }: Arrival,
  start: Start,
  { facts, content, currentDigest }: Gathered<S>,
  current: StoredChangeRequest,
): StepCommand<S> {
  const { seesContent, seesPreset } = revisionNeedOf(step)
  const isSameContent = contentOf(step, current.changeRequest) === content
  if (!isSameContent && !seesContent) throw new OutdatedFacts()
  const isSamePreset = !seesPreset || hasSamePreset(start.stored.changeRequest, current.changeRequest)
  const isUnaltered = isSameContent && content === start.content && isSamePreset
  const { digest, earlierDigests } = start
  const isSeen = isUnaltered && (digest === undefined || digest === currentDigest || earlierDigests.includes(digest))
  const revision = revisionFacts(services, start, current, isSeen)
  const { now, expiry } = decisionTime(services)
  return { by, now, facts: { ...facts, revision, expiry } }
}
