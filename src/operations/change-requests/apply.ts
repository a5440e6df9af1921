import { randomUUID } from 'node:crypto'
import { type ApplyOccasion, abandonApply, beginApply, completeApply, requireApplicable } from '../../domain/apply'
import type { Application, Author, ChangeRequest } from '../../domain/change-request'
import { inApplyOrder } from '../../domain/flags/apply-order'
import { findConflicts, firstConflict } from '../../domain/flags/conflicts'
import type { FlagState } from '../../domain/flags/flag-state'
import { requireSettled } from '../../domain/rules'
import { ChangeRequestError } from '../../errors'
import type { ApplicableChange, ApplyContext, FlagEvent, FlagGateway } from '../../ports/flags'
import type { StoredChangeRequest } from '../../ports/storage'
import { toFlagEventDrafts } from '../flags/flag-events'
import { lockedFlags, type Outlook, outlookOf, presentFlags } from '../flags/flag-state'
import { checkFlagEvents } from '../flags/gateway-answers'
import { HookTimeoutError, within } from '../runtime/call-hook'
import { fromGateway, gatewayFailure } from '../runtime/failures'
import { requirePermission } from '../runtime/permissions'
import { blindDecision, decideInOrder, revisionMismatch } from '../runtime/preconditions'
import { commentLimitsOf, now, type Services } from '../runtime/services'
import { digestOf } from './digest'
import { type Caller, findVisible, queueOf, type Reference, toReviewer, visible } from './existing'
import { askOutcome, isOverdue, settleByGateway } from './settle'

interface Apply extends Caller, Reference {
  readonly comment: string | null
  /** Of what the caller decides on; null where the body names none. */
  readonly digest: string | null
}

/** What an application goes by, once everything has been checked. */
interface Plan {
  readonly loaded: StoredChangeRequest
  readonly occasion: ApplyOccasion
  readonly outlook: Outlook
}

/** Approved -> Applied: the changes are carried out once, all or none (contract 6.4). */
export async function apply(services: Services, input: Apply): Promise<StoredChangeRequest> {
  const { project, actor } = input
  const { writer, storage } = services
  const first = await findVisible(services, input, actor)
  const { id, environment } = first.changeRequest
  await requirePermission(services, actor, 'APPLY_CHANGE_REQUEST', { project, environment })
  const by = await toReviewer(services, input)
  const content = digestOf(first.changeRequest)

  const step = await writer.retryOnConflict(async (isFirst): Promise<Step | undefined> => {
    const found = isFirst ? first : await findVisible(services, { project, id }, actor)
    if (isOverdue(services, found.changeRequest) && !(await settleByGateway(services, found))) return undefined
    const outlook = outlookOf(found.changeRequest, await presentFlags(services, [found.changeRequest]))
    return writer.runExclusive(queueOf(id), async () => {
      const loaded = visible(await storage.find({ project }, id), actor.id, id)
      const occasion = {
        by,
        now: now(services),
        comment: input.comment,
        commentLimits: commentLimitsOf(services.settings),
        digest: outlook.digest,
      }
      const plan = { loaded, occasion, outlook }
      const sameContent = digestOf(loaded.changeRequest) === content
      checkInOrder(services, input, plan, sameContent)
      return start(services, input, plan)
    })
  })
  return 'applied' in step ? step.applied : writer.track(finish(services, step))
}

/** How far an application got while nobody else of this process could write to the change request. */
type Step = { readonly applied: StoredChangeRequest } | Begun

/** The intent is stored, and every other write is refused until its outcome is. */
interface Begun {
  readonly flags: FlagGateway
  readonly begun: StoredChangeRequest
  readonly plan: Plan
}

/** Revision and content first, then the state, the approvals and what the flags are (contract 11.4). */
function checkInOrder(services: Services, input: Apply, { loaded, occasion, outlook }: Plan, sameContent: boolean) {
  const { changeRequest } = loaded
  const revisionRequired = services.settings.requireRevision
  const sight = { ...input, present: outlook.digest, sameContent, revisionRequired }
  const refusal = revisionMismatch(input.ifMatch, loaded) ?? blindDecision(sight)
  const check = () => {
    requireSettled(changeRequest)
    requireApplicable(changeRequest, occasion)
    requireNoConflict(changeRequest, outlook.before)
    return { changeRequest, events: [] }
  }
  decideInOrder(check, refusal)
}

function requireNoConflict(changeRequest: ChangeRequest, state: FlagState | undefined): void {
  const conflict = state && firstConflict(findConflicts(changeRequest, state))
  if (conflict === undefined) return
  throw new ChangeRequestError('ConflictError', `The changes no longer fit the flags (${conflict}).`)
}

async function start(services: Services, input: Apply, plan: Plan): Promise<Step | undefined> {
  const { flags } = services
  if (flags !== null && flags.transactional !== true) return begin(services, flags, plan)
  const applied = await (flags === null ? recordOnly(services, plan) : applyTogether(services, flags, input, plan))
  return applied && { applied }
}

function recordOnly({ settings, writer }: Services, { loaded, occasion, outlook }: Plan) {
  if (!settings.recordOnly) {
    throw new ChangeRequestError('ConflictError', 'Nothing can be applied here: no flag gateway is set.')
  }
  return writer.commit(loaded, completeApply(loaded.changeRequest, occasion, [], outlook.before))
}

/**
 * Flags, state and events are one transaction of the storage. The flags are read again in it, so that nothing comes
 * between the check and the write.
 */
async function applyTogether(services: Services, flags: FlagGateway, input: Apply, { loaded, occasion }: Plan) {
  const { storage, writer } = services
  const { changeRequest } = loaded
  const lost = new Error('Another process was faster.')
  const work = async (transaction: unknown, inside: Parameters<typeof writer.commit>[2]) => {
    const ask = <Value>(method: string, call: () => Promise<Value>) => askInside(services, changeRequest, method, call)
    const present = await ask('current', () => lockedFlags(services, changeRequest, { transaction, forUpdate: true }))
    const outlook = outlookOf(changeRequest, present)
    const plan = { loaded, occasion: { ...occasion, digest: outlook.digest }, outlook: withCopy(outlook) }
    checkInOrder(services, input, plan, true)
    const context = { ...contextOf(changeRequest, occasion.by.author, randomUUID()), transaction }
    const answer = await ask('apply', () => flags.apply(copiesFor(changeRequest, outlook), context))
    const events = toFlagEventDrafts(services, changeRequest, occasion, checkFlagEvents('apply', answer), present)
    const decision = completeApply(changeRequest, plan.occasion, events, plan.outlook.before)
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

/** A gateway that takes another connection than the one of the transaction may wait for what only we can end. */
async function askInside<Value>(
  { logger, settings, storage }: Services,
  { id }: ChangeRequest,
  method: string,
  call: () => Promise<Value>,
): Promise<Value> {
  const { hookTimeoutMs } = settings
  try {
    return await within(hookTimeoutMs, `flags.${method}`, call)
  } catch (error) {
    if (!(error instanceof HookTimeoutError)) return fromGateway(storage, error)
    logger.error(
      { err: error, id },
      'The flag gateway did not answer inside the transaction of an application, which was rolled back. Most likely it ' +
        'uses another connection than context.transaction, and waited for the one that the transaction held. A write ' +
        'of it that waited may still have gone through on its own: compare the flags with the change request.',
    )
    throw new ChangeRequestError(
      'UnavailableError',
      `The flag gateway did not answer within ${hookTimeoutMs} ms, and the application was rolled back. Most likely ` +
        'it does not read and write through context.transaction.',
      { cause: error },
    )
  }
}

/** The intent first: what breaks off before its outcome is stored is found by it. */
async function begin({ writer }: Services, flags: FlagGateway, plan: Plan): Promise<Begun | undefined> {
  const { loaded, occasion } = plan
  const { by, now } = occasion
  const begun = await writer.commit(loaded, beginApply(loaded.changeRequest, randomUUID(), by.author, now))
  return begun && { flags, begun, plan: { ...plan, outlook: withCopy(plan.outlook) } }
}

/** The gateway, and then the record of it. Nobody waits in a queue behind a gateway that takes its time. */
async function finish(services: Services, { flags, begun, plan }: Begun): Promise<StoredChangeRequest> {
  const { writer, storage } = services
  const { changeRequest } = begun
  const { occasion, outlook } = plan
  const events = await carryOut(services, flags, begun, outlook)
  const drafts = toFlagEventDrafts(services, changeRequest, occasion, events, outlook.before)
  const decision = completeApply(changeRequest, occasion, drafts, outlook.before)
  return writer.retryOnConflict(async () => {
    const stored = await writer.commit(begun, decision)
    if (stored !== undefined) return stored
    const present = await storage.find({ project: changeRequest.project }, changeRequest.id)
    // Somebody else has asked the gateway meanwhile, and recorded the same.
    if (present?.changeRequest.state === 'Applied') return present
    if (present?.changeRequest.applying?.applyId === changeRequest.applying?.applyId) return undefined
    const { id } = changeRequest
    services.logger.error({ id, events }, 'The flag gateway carried out an application that was settled otherwise.')
    throw new ChangeRequestError(
      'UnknownError',
      'The changes were carried out, but the application was settled as not carried out meanwhile.',
    )
  })
}

/** The events of the gateway; where it did nothing, the intent is taken back before the error goes on. */
async function carryOut(
  services: Services,
  flags: FlagGateway,
  begun: StoredChangeRequest,
  outlook: Outlook,
): Promise<readonly FlagEvent[]> {
  const { changeRequest } = begun
  const { applyId, by } = changeRequest.applying as Application
  const { applyTimeoutMs } = services.settings
  const context = { ...contextOf(changeRequest, by, applyId), transaction: undefined }
  const abandon = async (error: unknown): Promise<never> => {
    await services.writer.commit(begun, abandonApply(changeRequest))
    throw gatewayFailure(error)
  }
  // Only a refusal says that nothing arrived. What became of a call that failed the gateway knows, or nobody.
  const afterFailure = async (error: unknown) => {
    if (flags.outcome === undefined) throw gatewayFailure(error, unknownOutcome)
    return (await askOutcome(services, applyId)) ?? (await abandon(error))
  }
  let answer: unknown
  try {
    const call = () => flags.apply(copiesFor(changeRequest, outlook), context)
    answer = await within(applyTimeoutMs, 'flags.apply', call)
  } catch (error) {
    return ChangeRequestError.is(error) ? abandon(error) : afterFailure(error)
  }
  try {
    return checkFlagEvents('apply', answer)
  } catch (error) {
    return afterFailure(error)
  }
}

/** Says who can end it. */
const unknownOutcome =
  'whether anything was applied is not known. Nobody can alter the change request until it is: let somebody who runs ' +
  'this server end it with the command "express-change-requests settle"'

/** What is stored and compared must not be what the gateway holds in its hands. */
function withCopy(outlook: Outlook): Outlook {
  return { ...outlook, before: structuredClone(outlook.before) }
}

/** Copies, in the order in which they are safe to carry out. */
function copiesFor({ changes }: ChangeRequest, { defaultChanges }: Outlook): ApplicableChange[] {
  // Each has the payload of its action: it was checked when it was proposed.
  return structuredClone(inApplyOrder(changes, defaultChanges)) as ApplicableChange[]
}

function contextOf(
  { id, project, environment }: ChangeRequest,
  by: Author,
  applyId: string,
): Omit<ApplyContext, 'transaction'> {
  const { person, signature } = by
  return {
    changeRequestId: id,
    project,
    environment,
    appliedBy: { id: person.id, username: person.username, signature },
    applyId,
  }
}
