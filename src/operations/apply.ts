import { randomUUID } from 'node:crypto'
import {
  type ApplyCircumstances,
  abandonApply,
  beginApply,
  completeApply,
  requireApplicable,
  requireSettled,
} from '../domain/application'
import type { Author } from '../domain/author'
import type { Application, ChangeRequest } from '../domain/change-request'
import { findConflicts, firstConflict } from '../domain/conflicts'
import type { Decision } from '../domain/decision'
import { findDefaultChanges } from '../domain/default-changes'
import type { EventDraft } from '../domain/events'
import type { FlagState } from '../domain/flag-state'
import { groupByFeature } from '../domain/grouping'
import { ChangeRequestError } from '../errors'
import type { ApplicableChange, ApplyContext, FlagEvent, FlagGateway } from '../ports/flags'
import type { StoredChangeRequest } from '../ports/storage'
import { digestOf } from './digest'
import { type Caller, findVisible, queueOf, type Reference, toReviewer, visible } from './existing'
import { fromGateway, gatewayFailure } from './failures'
import { presentFlags } from './flag-state'
import { requirePermission } from './permissions'
import { tellsSomething, toEventDraft } from './record-events'
import { boundTo } from './revision'
import { now, type Services } from './services'
import { ulid } from './ulid'

interface Apply extends Caller, Reference {
  readonly comment: string | null
}

/** What an application goes by, once everything has been checked. */
interface Plan {
  readonly loaded: StoredChangeRequest
  readonly circumstances: ApplyCircumstances
  readonly before: FlagState | undefined
}

/** Approved -> Applied: the changes are carried out once, all or none (contract 6.4). */
export async function apply(services: Services, input: Apply): Promise<StoredChangeRequest> {
  const { project, actor } = input
  const { id, environment } = (await findVisible(services, input, actor)).changeRequest
  await requirePermission(services, actor, 'APPLY_CHANGE_REQUEST', { project, environment })
  const by = await toReviewer(services, input)
  const { writer, storage, flags } = services
  const step = await writer.alone(queueOf(id), () =>
    writer.untilWon(async (): Promise<Step | undefined> => {
      const found = visible(await storage.find({ project }, id), actor.id, id)
      const loaded = await settleBroken(services, found)
      if (loaded === undefined) return undefined
      const { changeRequest } = loaded
      const circumstances = { by, now: now(services), comment: input.comment, digest: digestOf(changeRequest) }
      boundTo(input.ifMatch, loaded, () => {
        requireSettled(changeRequest)
        requireApplicable(changeRequest, circumstances)
        return { changeRequest, events: [] }
      })
      const before = await presentFlags(services, [changeRequest])
      requireNoConflict(changeRequest, before)
      const plan = { loaded, circumstances, before }
      if (flags !== null && flags.transactional !== true) return begin(services, flags, plan)
      const applied = await (flags === null ? recordOnly(services, plan) : applyTogether(services, flags, plan))
      return applied && { applied }
    }),
  )
  return 'applied' in step ? step.applied : finish(services, step)
}

/** How far an application got while nobody else of this process could write to the change request. */
type Step = { readonly applied: StoredChangeRequest } | Begun

/** The intent is stored, and every other write is refused until its outcome is. */
interface Begun {
  readonly flags: FlagGateway
  readonly begun: StoredChangeRequest
  readonly plan: Plan
}

function requireNoConflict(changeRequest: ChangeRequest, state: FlagState | undefined): void {
  const conflict = state && firstConflict(findConflicts(changeRequest, state))
  if (conflict === undefined) return
  throw new ChangeRequestError('ConflictError', `The changes no longer fit the flags (${conflict}).`)
}

function recordOnly({ settings, writer }: Services, { loaded, circumstances, before }: Plan) {
  if (!settings.recordOnly) {
    throw new ChangeRequestError('ConflictError', 'Nothing can be applied here: no flag gateway is set.')
  }
  return writer.commit(loaded, completeApply(loaded.changeRequest, circumstances, [], before))
}

/** Flags, state and events are one transaction of the storage. */
async function applyTogether(services: Services, flags: FlagGateway, { loaded, circumstances, before }: Plan) {
  const { storage, writer } = services
  const { changeRequest } = loaded
  const lost = new Error('Another process was faster.')
  const work = async (transaction: unknown, inside: Parameters<typeof writer.commit>[2]) => {
    const context = { ...contextOf(changeRequest, circumstances.by.author, randomUUID()), transaction }
    const events = await flags
      .apply(plannedChanges(changeRequest, before), context)
      .catch((error) => fromGateway(services.storage, error))
    const decision = complete(services, changeRequest, circumstances, events, before)
    const stored = await writer.commit(loaded, decision, inside)
    // Nothing of what the gateway wrote may stay.
    if (stored === undefined) throw lost
    return stored
  }
  try {
    if (storage.transaction === undefined) throw new Error('The storage has no transactions.')
    return await storage.transaction(work)
  } catch (error) {
    if (error === lost) return undefined
    throw error
  }
}

/** The intent first: what breaks off before its outcome is stored is found by it. */
async function begin({ writer }: Services, flags: FlagGateway, plan: Plan): Promise<Begun | undefined> {
  const { loaded, circumstances } = plan
  const { by, now } = circumstances
  const begun = await writer.commit(loaded, beginApply(loaded.changeRequest, randomUUID(), by.author, now))
  return begun && { flags, begun, plan }
}

/** The gateway, and then the record of it. Nobody waits in a queue behind a gateway that takes its time. */
async function finish(services: Services, { flags, begun, plan }: Begun): Promise<StoredChangeRequest> {
  const { writer, storage } = services
  const { changeRequest } = begun
  const events = await carryOut(services, flags, begun, plan.before)
  const decision = complete(services, changeRequest, plan.circumstances, events, plan.before)
  return writer.untilWon(async () => {
    const stored = await writer.commit(begun, decision)
    if (stored !== undefined) return stored
    const present = await storage.find({ project: changeRequest.project }, changeRequest.id)
    // Another process has asked the gateway meanwhile, and recorded the same.
    return present?.changeRequest.state === 'Applied' ? present : undefined
  })
}

/** The events of the gateway; where it did nothing, the intent is taken back before the error goes on. */
async function carryOut(
  services: Services,
  flags: FlagGateway,
  begun: StoredChangeRequest,
  before: FlagState | undefined,
): Promise<readonly FlagEvent[]> {
  const { changeRequest } = begun
  const { applyId, by } = changeRequest.applying as Application
  try {
    return await flags.apply(plannedChanges(changeRequest, before), contextOf(changeRequest, by, applyId))
  } catch (error) {
    // Only a refusal says that nothing arrived. What became of a call that failed the gateway knows, or nobody.
    const outcome = ChangeRequestError.is(error) ? null : await flags.outcome?.(applyId)
    if (outcome) return outcome
    if (outcome === undefined) throw gatewayFailure(error, 'whether anything was applied is not known')
    await services.writer.commit(begun, abandonApply(changeRequest))
    throw gatewayFailure(error)
  }
}

/**
 * An application without an outcome, left by a process that died: the gateway knows whether it was carried out. Answers
 * the change request as it stands then; undefined when another process was faster.
 */
async function settleBroken(services: Services, loaded: StoredChangeRequest): Promise<StoredChangeRequest | undefined> {
  const { flags, writer, settings } = services
  const { changeRequest } = loaded
  const { applying } = changeRequest
  if (applying == null || services.clock().getTime() - Date.parse(applying.startedAt) < settings.applyTimeoutMs) {
    return loaded
  }
  if (flags?.outcome === undefined) {
    throw new ChangeRequestError(
      'ConflictError',
      'An application broke off. Whether it was carried out only the flag gateway can tell, by its method outcome().',
    )
  }
  const events = await flags.outcome(applying.applyId)
  if (events === null) return writer.commit(loaded, abandonApply(changeRequest))
  const by = { author: applying.by, admin: false }
  const circumstances = { by, now: now(services), comment: null, digest: digestOf(changeRequest) }
  return writer.commit(loaded, complete(services, changeRequest, circumstances, events, undefined))
}

function complete(
  services: Services,
  changeRequest: ChangeRequest,
  circumstances: ApplyCircumstances,
  events: readonly FlagEvent[],
  before: FlagState | undefined,
): Decision {
  return completeApply(
    changeRequest,
    circumstances,
    toDrafts(services, changeRequest, circumstances, events, before),
    before,
  )
}

/** All flag events of an application belong to one group (contract 6.4). */
function toDrafts(
  services: Services,
  { project, environment }: ChangeRequest,
  { by, now: createdAt }: ApplyCircumstances,
  events: readonly FlagEvent[],
  before: FlagState | undefined,
): EventDraft[] {
  const groupId = ulid(services.clock())
  const { signature, person, ip } = by.author
  const drafts = events.map((event) => {
    const feature = event.featureName == null ? undefined : before?.features.get(event.featureName)
    const filled = {
      createdBy: signature,
      createdByUserId: person.id,
      project,
      environment,
      ip,
      ...(feature?.tags === undefined ? {} : { tags: feature.tags }),
      ...event,
      groupType: 'change-request',
      groupId,
    }
    return toEventDraft(parseFlagEvent(services, filled), createdAt)
  })
  return drafts.filter(tellsSomething)
}

/** What the gateway reports is the host's: no fault of the caller if it is no event. */
function parseFlagEvent({ parseEvent }: Services, event: unknown): ReturnType<Services['parseEvent']> {
  try {
    return parseEvent(event)
  } catch (error) {
    throw new ChangeRequestError('UnknownError', 'The flag gateway reported something that is no event.', {
      cause: error,
    })
  }
}

/** The changes in id order, each flag's default change after its own. */
function plannedChanges(changeRequest: ChangeRequest, before: FlagState | undefined): ApplicableChange[] {
  const defaults = before === undefined ? new Map() : findDefaultChanges(changeRequest, before)
  const lastOf = new Map([...groupByFeature(changeRequest.changes)].map(([feature, own]) => [own.at(-1)?.id, feature]))
  return changeRequest.changes.flatMap(({ id, action, feature, payload }) => {
    const along = defaults.get(lastOf.get(id) ?? '')
    return [{ id, action, feature, payload }, ...(along === undefined ? [] : [{ ...along, id: null }])]
  })
}

function contextOf({ id, project, environment }: ChangeRequest, by: Author, applyId: string): ApplyContext {
  const { person, signature } = by
  return {
    changeRequestId: id,
    project,
    environment,
    appliedBy: { id: person.id, username: person.username, signature },
    applyId,
  }
}
