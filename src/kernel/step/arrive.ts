import type { ChangeRequest } from '../../domain/change-request'
import { customValues } from '../../domain/custom-fields/custom-fields'
import type { Attribution } from '../../domain/events/events'
import { pendingPreset } from '../../domain/schedule/preset'
import type { RevisionFacts } from '../../domain/steps/facts'
import {
  dependsOnContent,
  flagsAreOptionalFor,
  interruptedApplyOf,
  requireCaller,
  requireRevision,
  revisionNeedOf,
  type StoredStep,
} from '../../domain/steps/steps'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'
import { createChangeRequestPaths } from '../change-request-paths'
import { digestOf } from '../digest'
import { acceptsTag, entityTag, namesRevision } from '../etag'
import type { FactContext } from '../facts/fact-context'
import { FactGatherer } from '../facts/gather'
import { requirePerson } from '../host/author'
import { createPermissionCheck } from '../host/permissions'
import { type HostServices, now } from '../host-services'
import type { Services } from '../services'
import { digestsBefore, hadSucceeded, ifMatchAfter, settleFirst } from './settle'
import { type Caller, findVisible, type StepInput } from './step-input'

export interface Arrival {
  readonly stored: StoredChangeRequest
  readonly by: Attribution['by']
  readonly gatherer: FactGatherer
  /** The context of facts about other content of the same change request. */
  contextOf(changeRequest: ChangeRequest): FactContext
}

/** Finds the change request and checks the caller, before other hooks are called. */
export async function arrive<S extends StoredStep>(services: Services, step: S, input: StepInput): Promise<Arrival> {
  const { actor } = input
  const stored = input.found ?? (await findVisible(services, input, actor))
  const hasPermission = input.hasPermission ?? createPermissionCheck(services, actor)
  const statesDigest = revisionNeedOf(step).seesContent && input.digest != null
  const flagsAreOptional = flagsAreOptionalFor(step) && !statesDigest
  const contextOf = (changeRequest: ChangeRequest): FactContext => {
    const { commentId, checkName, after, proposal, changesAfter } = input
    return {
      ...{ services, actor, hasPermission, changeRequest, commentId, checkName, after },
      ...(proposal && { proposal }),
      ...(changesAfter && { changesAfter: changesAfter(changeRequest) }),
      flagsAreOptional,
    }
  }
  const gatherer = new FactGatherer(contextOf(stored.changeRequest))
  requireCaller(step, stored.changeRequest, await gatherer.forCaller(step))
  return { stored, by: authorOf(services, input), gatherer, contextOf }
}

/** The caller as the author of what is written. @throws OperationDeniedError for a key without a user id */
export function authorOf(services: Services, { actor, ip }: Caller): Attribution['by'] {
  return { author: requirePerson(actor, ip, services), groups: actor.groups ?? [] }
}

/** What a step decides on: the change request at its arrival, once an interrupted apply of it has ended. */
export interface Start {
  readonly stored: StoredChangeRequest
  /** Identifies its content; undefined for a step that does not depend on it. A vote is for this content (contract 6.3). */
  readonly content: string | undefined
  readonly ifMatch: string | undefined
  readonly digest: string | undefined
  /** The digests that the caller may have seen before the apply ended. */
  readonly earlierDigests: readonly string[]
}

/** Ends an interrupted apply. If it had succeeded, and the step was to apply, the step is complete. */
export async function settleArrival<S extends StoredStep>(
  services: Services,
  step: S,
  input: StepInput,
  { stored: arrived, gatherer }: Arrival,
): Promise<Start | { readonly completed: StoredChangeRequest }> {
  const interruptedApply = interruptedApplyOf(step)
  const stored = interruptedApply === 'keeps' ? arrived : await settleFirst(services, arrived)
  const digest = (revisionNeedOf(step).readsDigest ? input.digest : null) ?? undefined
  const earlierDigests = digest === undefined ? [] : await digestsBefore(services, arrived, stored)
  if (interruptedApply === 'completes' && hadSucceeded(arrived, stored)) {
    const isSeen = digest === undefined || earlierDigests.includes(digest)
    const revision = revisionFacts(services, { ifMatch: input.ifMatch, digest }, arrived, isSeen)
    requireRevision(step, stored.changeRequest, { revision, options: await gatherer.get('options') })
    return { completed: stored }
  }
  const ifMatch = ifMatchAfter(input.ifMatch, arrived, stored)
  return { stored, content: contentOf(step, stored.changeRequest), ifMatch, digest, earlierDigests }
}

/** The revision that the caller stated, compared with the stored one; undefined if none is stored. */
export function revisionFacts(
  services: Pick<HostServices, 'options' | 'clock'>,
  {
    ifMatch,
    digest,
    mustCreate = false,
  }: Pick<StepInput, 'ifMatch'> & { digest?: string | undefined; mustCreate?: boolean },
  stored: StoredChangeRequest | undefined,
  isSeen: boolean,
): RevisionFacts {
  const paths = createChangeRequestPaths(services.options.basePath)
  const hasPreset = stored !== undefined && pendingPreset(stored.changeRequest, now(services)) !== undefined
  return {
    matches: ifMatch === undefined || (stored !== undefined && acceptsTag(ifMatch, entityTag(stored))),
    exists: stored !== undefined,
    forbidden:
      mustCreate && stored ? paths.changeRequest(stored.changeRequest.project, stored.changeRequest.id) : undefined,
    isStated: digest !== undefined || namesRevision(ifMatch),
    hasPreset,
    missesPreset: digest !== undefined && !namesRevision(ifMatch) && hasPreset,
    isSeen,
  }
}

/** A step compares the content that it arrives at with the one that it is decided on, usually the same object. */
const contents = new WeakMap<ChangeRequest['changes'], string>()

/** Identifies the content of a change request for a step; undefined if nothing of the step depends on it. */
export function contentOf(step: StoredStep, changeRequest: ChangeRequest): string | undefined {
  if (!revisionNeedOf(step).seesContent && !dependsOnContent(step)) return undefined
  const { changes } = changeRequest
  const known = contents.get(changes) ?? digestOf({ changes })
  contents.set(changes, known)
  const values = customValues(changeRequest)
  return values === undefined ? known : `${known} ${JSON.stringify(values)}`
}
