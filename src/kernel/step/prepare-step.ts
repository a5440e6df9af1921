import type { ChangeRequest, NewChange } from '../../domain/change-request'
import { affectsProject } from '../../domain/content/scope'
import type { StepCommand } from '../../domain/decisions/decision'
import type { Revert } from '../../domain/diff/revert'
import type { FlagState } from '../../domain/flag-state'
import { hasSamePreset, pendingPreset } from '../../domain/schedule/preset'
import type { DecisionFact, RevisionFacts } from '../../domain/steps/facts'
import {
  decidesOnContent,
  decidesOnPreset,
  dependsOnContent,
  type FactsOf,
  isApply,
  requireCaller,
  requireRevision,
} from '../../domain/steps/steps'
import type { Step } from '../../domain/steps/table'
import type { ChangeRequestError } from '../../errors'
import type { Actor } from '../../ports/access'
import type { OpenKey, StoredChangeRequest } from '../../ports/storage/change-requests'
import { createChangeRequestPaths } from '../change-request-paths'
import { digestOf } from '../digest'
import { acceptsTag, entityTag, namesRevision } from '../etag'
import { approvalExpiry } from '../facts/expiry'
import type { FactContext, Proposal } from '../facts/fact-context'
import { FactGatherer } from '../facts/gather'
import { placeFactNames } from '../facts/place'
import { rejectedProposal } from '../facts/proposal'
import { requirePerson } from '../host/author'
import { createPermissionCheck, type PermissionCheck } from '../host/permissions'
import { now } from '../host-services'
import type { Services } from '../services'
import type { WriteJob } from '../writer/aggregate-writer'
import { canSettle, digestsBefore, hadSucceeded, ifMatchAfter, settleFirst } from './settle'
import { findVisible, type Reference } from './visible'

/** The caller, and the input that every write has. */
export interface Caller {
  readonly actor: Actor
  readonly ip: string | undefined
  readonly ifMatch: string | undefined
  /** Checks the permissions of the actor, each once per request. */
  readonly hasPermission?: PermissionCheck
  /** What the commit stores for a retry; undefined unless the call carries an `Idempotency-Key`. */
  readonly idempotency?: WriteJob['idempotency'] | undefined
}

/** The input of a step. */
export interface StepInput extends Caller, Reference {
  /** The result of {@link findVisible}, if it is already known. */
  readonly found?: StoredChangeRequest
  /** The digest that the caller decides on; null if the body has none. Absent for steps without it. */
  readonly digest?: string | null | undefined
  /** Whether the step is rejected unless it creates a change request: `If-None-Match: *`. */
  readonly mustCreate?: boolean
  /** The place where the step proposes changes: in the open change request that the caller has there. */
  readonly proposesIn?: Pick<OpenKey, 'project' | 'environment'>
  /** The changes that the caller proposes. */
  readonly proposal?: Proposal
  /** The comment that the step is about. */
  readonly commentId?: number | undefined
  /** Whether the step may go on without the flags if they cannot be read, because only its snapshots need them. */
  readonly flagsAreOptional?: boolean
  /** The number of change ids that the decision needs, for the content that was read. */
  changeIds?(found: ChangeRequest, facts: { readonly revert?: Revert | undefined }): number
  /** The changes of the change request after the step, if the step alters them. */
  changesAfter?(found: ChangeRequest): readonly Pick<NewChange, 'action'>[]
}

/** A step whose facts are gathered. */
interface Prepared<S extends Step> {
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

type GatheredFacts<S extends Step> = Omit<FactsOf<S>, DecisionFact>

/** The stored content differs from the content that the facts are about. */
class OutdatedFacts extends Error {
  readonly current: StoredChangeRequest

  constructor(current: StoredChangeRequest) {
    super('The stored content has changed since the facts were gathered.')
    this.current = current
  }
}

/** The open change request to which the changes would be added has an interrupted apply. */
class Interrupted extends OutdatedFacts {}

/**
 * Checks the caller, ends an interrupted apply, gathers the facts of the step, and calls `attempt` to take it. Repeats this
 * after a lost race, and if the content has changed.
 *
 * @param attempt Returns undefined for a lost race.
 */
export async function prepareStep<S extends Step, Result>(
  services: Services,
  step: S,
  input: StepInput,
  attempt: (found: StoredChangeRequest, prepared: Prepared<S>) => Promise<Result | undefined>,
): Promise<Result | StoredChangeRequest> {
  const { actor, project } = input
  const comparesContent = decidesOnContent(step)
  const digest = comparesContent ? input.digest : undefined
  const arrived = input.found ?? (await findVisible(services, input, actor))
  const { id } = arrived.changeRequest
  const hasPermission = input.hasPermission ?? createPermissionCheck(services, actor)
  const contextFor = (changeRequest: ChangeRequest): FactContext => ({
    ...contextOf(input, changeRequest),
    services,
    actor,
    hasPermission,
    changeRequest,
  })
  const initialFacts = new FactGatherer(contextFor(arrived.changeRequest))
  requireCaller(step, arrived.changeRequest, await initialFacts.forCaller(step))
  const by = { author: requirePerson(actor, input.ip, services), groups: actor.groups ?? [] }
  let found = step === 'settle' ? arrived : await settleFirst(services, arrived)
  if (isApply(step) && hadSucceeded(arrived, found)) {
    const isSeen = digest == null || (await digestsBefore(services, arrived, found)).includes(digest)
    const revision = revisionFacts(services, input, arrived, isSeen)
    requireRevision<'apply' | 'applyInEmergency'>(step, found.changeRequest, {
      revision,
      options: await initialFacts.get('options'),
    })
    return found
  }
  let ifMatch = ifMatchAfter(input.ifMatch, arrived, found)
  let settled = false
  // False if nothing depends on the content. The facts of a new draft depend only on the proposal.
  const bindsContent = !isNew(arrived) && (comparesContent || dependsOnContent(step))
  const contentOf = (changeRequest: ChangeRequest) => (bindsContent ? digestOf(changeRequest) : undefined)
  // A vote or an apply is for the content that was stored when it arrived, even after a lost race (contract 6.3).
  const { changeRequest: arrivedRequest } = found
  const arrivedContent = contentOf(arrivedRequest)
  const seenBefore = comparesContent ? await digestsBefore(services, arrived, found) : []
  return services.writer.retryOnConflict(async (first) => {
    if (!first && !isNew(arrived)) found = await findVisible(services, { project, id }, actor)
    const { changeRequest } = found
    const gatherer = found === arrived ? initialFacts : initialFacts.about(contextFor(changeRequest), 'proposal')
    const content = first ? arrivedContent : contentOf(changeRequest)
    const commandWith =
      (facts: GatheredFacts<S>, currentDigest: string | undefined) => (current: StoredChangeRequest) => {
        if (isNew(arrived)) {
          if (!settled && canSettle(services, current.changeRequest)) throw new Interrupted(current)
          // The facts considered only the proposed changes. The stored changes may affect the whole project.
          const isLookedUp = (facts as { readonly gatedMinimum?: number | undefined }).gatedMinimum !== undefined
          if (!isLookedUp && affectsProject(changesAfter(input, current.changeRequest)))
            throw new OutdatedFacts(current)
        }
        const isSameContent = contentOf(current.changeRequest) === content
        if (!isSameContent && !comparesContent) throw new OutdatedFacts(current)
        const isSameSchedule = !decidesOnPreset(step) || hasSamePreset(arrivedRequest, current.changeRequest)
        const isUnaltered = isSameContent && content === arrivedContent && isSameSchedule
        const isSeen = isUnaltered && (digest == null || digest === currentDigest || seenBefore.includes(digest))
        const revision = revisionFacts(services, { ...input, ifMatch, digest }, current, isSeen)
        const expiry = approvalExpiry(services)
        return { by, now: expiry?.at ?? now(services), facts: { ...facts, revision, expiry } as unknown as FactsOf<S> }
      }
    const prepare = async (source: FactGatherer) => {
      const facts = await gatherFor(source, step, input)
      const currentDigest = digest == null ? undefined : await source.get('digest')
      return { facts, commandFor: commandWith(facts, currentDigest) }
    }
    try {
      return await attempt(found, {
        ...(await prepare(gatherer)),
        onFlags: (flags) => prepare(gatherer.onFlags(flags)),
      })
    } catch (error) {
      if (!(error instanceof OutdatedFacts)) throw error
      if (isNew(arrived)) found = error.current
      if (error instanceof Interrupted) {
        const after = await settleFirst(services, error.current)
        ifMatch = ifMatchAfter(input.ifMatch, error.current, after)
        settled = true
        found = arrived
      }
      return undefined
    }
  })
}

/** True for a draft that is not stored yet: the proposal may create it. */
export function isNew({ version }: StoredChangeRequest): boolean {
  return version === 0
}

/** If a hook fails for a proposal, the commit throws its error, unless it finds that change requests are disabled. */
async function gatherFor<S extends Step>(gatherer: FactGatherer, step: S, input: StepInput): Promise<GatheredFacts<S>> {
  if (input.proposesIn === undefined) return gatherer.forStep(step)
  try {
    return await gatherer.forStep(step, ...placeFactNames)
  } catch (error) {
    if (step !== 'add') throw error
    const facts = { ...(await gatherer.forCaller('add')), proposal: rejectedProposal(error as ChangeRequestError) }
    return { ...facts, gatedMinimum: 0 } as unknown as GatheredFacts<S>
  }
}

/** The properties of the context in addition to the change request. */
function contextOf(input: StepInput, changeRequest: ChangeRequest): Partial<FactContext> {
  const { proposal, commentId, flagsAreOptional } = input
  return {
    commentId,
    ...(proposal && { proposal }),
    ...(input.changesAfter && { changesAfter: changesAfter(input, changeRequest) }),
    ...(flagsAreOptional && { flagsAreOptional }),
  }
}

function changesAfter(input: StepInput, changeRequest: ChangeRequest): readonly Pick<NewChange, 'action'>[] {
  return input.changesAfter?.(changeRequest) ?? changeRequest.changes
}

/** The revision that the caller stated, compared with the stored one. */
function revisionFacts(
  services: Pick<Services, 'options' | 'clock'>,
  { ifMatch, digest, mustCreate = false }: Pick<StepInput, 'ifMatch' | 'digest' | 'mustCreate'>,
  stored: StoredChangeRequest,
  isSeen: boolean,
): RevisionFacts {
  return {
    matches: ifMatch === undefined || (!isNew(stored) && acceptsTag(ifMatch, entityTag(stored))),
    exists: !isNew(stored),
    forbidden: mustCreate && !isNew(stored) ? pathOf(services.options, stored) : undefined,
    isStated: digest != null || namesRevision(ifMatch),
    missesPreset:
      digest != null && !namesRevision(ifMatch) && pendingPreset(stored.changeRequest, now(services)) !== undefined,
    isSeen,
  }
}

function pathOf({ basePath }: Services['options'], { changeRequest: { project, id } }: StoredChangeRequest): string {
  return createChangeRequestPaths(basePath).changeRequest(project, id)
}
