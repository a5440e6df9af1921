import type { StepCommand } from '../../domain/decisions/decision'
import { hasSamePreset } from '../../domain/schedule/preset'
import { type GatheredFacts, revisionNeedOf, type StoredStep } from '../../domain/steps/steps'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'
import { decisionTime } from '../facts/expiry'
import type { FactGatherer } from '../facts/gather'
import { placeFactNames } from '../facts/place'
import type { Services } from '../services'
import type { Arrival, Start } from './arrive'
import { contentOf, revisionFacts } from './revision'
import type { StepInput } from './step-input'

/** The stored content differs from the content that the facts are about. */
export class OutdatedFacts extends Error {
  constructor() {
    super('The stored content has changed since the facts were gathered.')
  }
}

/** The facts of a step about one content. */
export interface Gathered<S extends StoredStep> {
  readonly facts: GatheredFacts<S>
  readonly content: string | undefined
  /** The digest of what would be applied; undefined unless the caller stated one. */
  readonly currentDigest: string | undefined
}

/** Gathers the facts about the content that the gatherer is about. */
export async function gather<S extends StoredStep>(
  gatherer: FactGatherer,
  step: S,
  { createsIn }: StepInput,
  { content, digest }: { readonly content: string | undefined; readonly digest: string | undefined },
): Promise<Gathered<S>> {
  // The commit of a proposal reads the facts about its place.
  const facts = await gatherer.forStep(step, ...(createsIn === undefined ? [] : placeFactNames))
  return { facts, content, currentDigest: digest === undefined ? undefined : await gatherer.get('digest') }
}

/**
 * The input of the decision on stored content.
 *
 * @throws OutdatedFacts if the facts are about other content, and the step can be decided again
 */
export function bind<S extends StoredStep>(
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
