import type { ApplyAttempt, ChangeRequest } from '../../domain/change-request'
import { abandonApply } from '../../domain/decisions/apply'
import type { Decision } from '../../domain/decisions/decision'
import { ChangeRequestError } from '../../errors'
import type { Limits } from '../../options/limits'
import type { FlagEvent, Settlement } from '../../ports/flags'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'
import { acceptsTag, entityTag, namesRevision } from '../etag'
import { isInterrupted } from '../facts/expiry'
import { currentFlagsOf, previewOf } from '../host/flag-state'
import { checkFlagEvents } from '../host/gateway-results'
import { callHook } from '../host/hooks'
import { now } from '../host-services'
import type { Services } from '../services'
import { finish } from './flag-events'

/** The events of an apply attempt, from the gateway; null: it was not applied. Only for gateways that have `outcome`. */
export async function readOutcome(services: Services, applyId: string): Promise<readonly FlagEvent[] | null> {
  const answer = await callHook(services, 'flags.outcome', () => services.flags?.outcome?.(applyId))
  return answer === null ? null : checkFlagEvents('outcome', answer)
}

export function canSettle(services: Services, changeRequest: ChangeRequest): boolean {
  return services.flags?.outcome !== undefined && isInterrupted(services, changeRequest)
}

/**
 * Ends an interrupted apply before a step is decided: stores the result that the gateway reports. Returns the stored change
 * request, also if another process settled it. If there is nothing to settle, returns the one passed in.
 */
export async function settleFirst(services: Services, found: StoredChangeRequest): Promise<StoredChangeRequest> {
  const { project, id, applying } = found.changeRequest
  if (!canSettle(services, found.changeRequest)) return found
  return services.writer.retryOnConflict(async (first) => {
    const current = first ? found : await services.storage.find({ project }, id)
    if (current === undefined) return found
    if (current.changeRequest.applying?.applyId !== applying?.applyId) return current
    return services.writer.commit(current, await decideByGateway(services, current.changeRequest))
  })
}

/** The change request after {@link settleFirst}, without storing it. Unchanged if the gateway fails. */
export async function previewSettled(services: Services, changeRequest: ChangeRequest): Promise<ChangeRequest> {
  if (!canSettle(services, changeRequest)) return changeRequest
  try {
    return (await decideByGateway(services, changeRequest)).changeRequest
  } catch (error) {
    const { project, id } = changeRequest
    const err = (error as { readonly cause?: unknown }).cause ?? error
    const text = 'The flag gateway could not report whether an interrupted apply succeeded.'
    services.logger.warn({ err, project, id }, text)
    return changeRequest
  }
}

/** True if {@link settleFirst} found that the interrupted apply had succeeded. */
export function hadSucceeded(before: StoredChangeRequest, after: StoredChangeRequest): boolean {
  return isSettling(before, after) && after.changeRequest.state === 'Applied'
}

/**
 * The digests that callers may have seen before {@link settleFirst} found that the apply had succeeded: the digest of the
 * attempt, and the current one, because the flags and the implied changes have changed since. After any other settling the
 * digest is the same, so the list is empty.
 */
export async function digestsBefore(
  services: Services,
  before: StoredChangeRequest,
  after: StoredChangeRequest,
): Promise<readonly string[]> {
  if (!hadSucceeded(before, after)) return []
  const { changeRequest } = before
  const { digest } = previewOf(changeRequest, await currentFlagsOf(services, [changeRequest]))
  return [(changeRequest.applying as ApplyAttempt).digest, digest]
}

/** A header with the revision before the settling counts as the revision after it (contract 12). */
export function ifMatchAfter(
  ifMatch: string | undefined,
  before: StoredChangeRequest,
  after: StoredChangeRequest,
): string | undefined {
  const carriesOver = isSettling(before, after) && ifMatch !== undefined && namesRevision(ifMatch)
  return carriesOver && acceptsTag(ifMatch, entityTag(before)) ? entityTag(after) : ifMatch
}

/** True if there was no other write between the two. */
function isSettling(before: StoredChangeRequest, after: StoredChangeRequest): boolean {
  return after.version === before.version + 1
}

async function decideByGateway(services: Services, changeRequest: ChangeRequest): Promise<Decision> {
  const { applyId } = changeRequest.applying as ApplyAttempt
  return settled(services, changeRequest, await readOutcome(services, applyId))
}

/** The services that {@link settle} needs: the command line has no router. */
export interface SettleServices extends Pick<Services, 'storage' | 'writer' | 'clock' | 'parseEvent'> {
  readonly options: { readonly limits: Pick<Limits, 'applyTimeoutMs'> }
}

/** Ends an interrupted apply. Logs the same events as any apply, in the name of the user who began it. */
export async function settle(
  services: SettleServices,
  { project, id, outcome, events = [], force = false }: Settlement,
): Promise<StoredChangeRequest> {
  const { storage, writer, options } = services
  if (outcome !== 'applied' && outcome !== 'not-applied') {
    throw new TypeError('settle: outcome must be "applied" or "not-applied".')
  }
  return writer.retryOnConflict(async () => {
    const found = await storage.find({ project }, id)
    if (found === undefined)
      throw new ChangeRequestError('NotFoundError', `The project ${project} has no change request ${id}.`)
    const { applying, state } = found.changeRequest
    if (applying == null) {
      const text = `The change request ${id} is ${state} and has no unfinished apply: there is nothing to settle.`
      throw new ChangeRequestError('ConflictError', text)
    }
    if (!force && !isInterrupted(services, found.changeRequest)) {
      const text = `The apply started at ${applying.startedAt} and may still be running: it counts as interrupted after `
      throw new ChangeRequestError('ConflictError', `${text}${options.limits.applyTimeoutMs} ms. Wait, or use force.`)
    }
    return writer.commit(
      found,
      settled(services, found.changeRequest, outcome === 'applied' ? events : null, 'operator'),
    )
  })
}

/** @param events null: nothing was applied. */
function settled(
  services: Pick<Services, 'clock' | 'parseEvent'>,
  changeRequest: ChangeRequest,
  events: readonly FlagEvent[] | null,
  settledBy?: 'operator',
): Decision {
  if (events === null) return abandonApply(changeRequest)
  const attempt = changeRequest.applying as ApplyAttempt
  const { by: author, scheduled, trace, comment = null, digest, rules, counted, checks } = attempt
  const record = { digest, ...(rules && { rules }), ...(counted && { counted }), ...(checks && { checks }) }
  const attribution = { by: { author }, now: now(services) }
  const ending = { comment, trace, record, settled: settledBy, ...(scheduled === true ? { scheduled } : {}) }
  return finish(services, changeRequest, { ...attribution, ...ending }, events, undefined)
}
