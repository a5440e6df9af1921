import { abandonApply, completeApply } from '../../domain/apply'
import type { Application, ChangeRequest } from '../../domain/change-request'
import type { Decision } from '../../domain/decision'
import { ChangeRequestError } from '../../errors'
import type { FlagEvent, Settlement } from '../../ports/flags'
import type { StoredChangeRequest } from '../../ports/storage'
import { createdBy, toFlagEventDrafts } from '../flags/flag-events'
import { checkFlagEvents } from '../flags/gateway-answers'
import { callHook } from '../runtime/call-hook'
import { now, type Services } from '../runtime/services'

/** True for an application that has had no outcome for `applyTimeoutMs`: it counts as broken off. */
export function isOverdue(
  { clock, settings }: Pick<SettleServices, 'clock' | 'settings'>,
  { applying }: ChangeRequest,
): boolean {
  return applying != null && clock().getTime() - Date.parse(applying.startedAt) >= settings.applyTimeoutMs
}

/** What the gateway knows of an application; null: it was not carried out. Only for gateways that have `outcome`. */
export async function askOutcome(services: Services, applyId: string): Promise<readonly FlagEvent[] | null> {
  const answer = await callHook(services, 'flags.outcome', () => services.flags?.outcome?.(applyId))
  return answer === null ? null : checkFlagEvents('outcome', answer)
}

/**
 * Stores what the gateway knows of an application that broke off. Does nothing where the gateway has no `outcome`.
 * Returns false for a lost race.
 */
export async function settleByGateway(services: Services, found: StoredChangeRequest): Promise<boolean> {
  const decision = await decideByGateway(services, found.changeRequest)
  return decision === undefined || (await services.writer.commit(found, decision)) !== undefined
}

/** What {@link settleByGateway} would make of the change request; the change request itself where it would do nothing. */
export async function foreseeSettled(services: Services, changeRequest: ChangeRequest): Promise<ChangeRequest> {
  if (!isOverdue(services, changeRequest)) return changeRequest
  return (await decideByGateway(services, changeRequest))?.changeRequest ?? changeRequest
}

async function decideByGateway(services: Services, changeRequest: ChangeRequest): Promise<Decision | undefined> {
  if (services.flags?.outcome === undefined) return undefined
  const events = await askOutcome(services, (changeRequest.applying as Application).applyId)
  return settled(services, changeRequest, events)
}

/** What {@link settle} needs: a command has no router. */
export interface SettleServices extends Pick<Services, 'storage' | 'writer' | 'clock' | 'parseEvent'> {
  readonly settings: Pick<Services['settings'], 'applyTimeoutMs'>
}

/** Ends an application that broke off. The log gets the events of any application, in the name of the person who began it. */
export async function settle(
  services: SettleServices,
  { project, id, outcome, events = [], force = false }: Settlement,
): Promise<StoredChangeRequest> {
  const { storage, writer, settings } = services
  if (outcome !== 'applied' && outcome !== 'not-applied') {
    throw new TypeError('settle: outcome must be "applied" or "not-applied".')
  }
  return writer.retryOnConflict(async () => {
    const found = await storage.find({ project }, id)
    if (found === undefined) throw new ChangeRequestError('NotFoundError', `There is no change request ${id} there.`)
    const { applying, state } = found.changeRequest
    if (applying == null) {
      const text = `The change request ${id} is ${state}, and no application of it is open: there is nothing to settle.`
      throw new ChangeRequestError('ConflictError', text)
    }
    if (!force && !isOverdue(services, found.changeRequest)) {
      throw new ChangeRequestError(
        'ConflictError',
        `The application began at ${applying.startedAt} and may still be under way: it counts as broken off after ` +
          `${settings.applyTimeoutMs} ms. Wait, or force it.`,
      )
    }
    return writer.commit(found, settled(services, found.changeRequest, outcome === 'applied' ? events : null))
  })
}

/** @param events null: nothing was carried out. */
function settled(
  services: Pick<Services, 'clock' | 'parseEvent'>,
  changeRequest: ChangeRequest,
  events: readonly FlagEvent[] | null,
): Decision {
  if (events === null) return abandonApply(changeRequest)
  const { by: author, scheduled, emergency } = changeRequest.applying as Application
  const occasion = { by: { author }, now: now(services) }
  const drafts = toFlagEventDrafts(services, changeRequest, occasion, events, undefined)
  const applied = { ...occasion, comment: null, emergency, ...(scheduled === true ? { scheduled } : {}) }
  return completeApply(changeRequest, applied, drafts, undefined, createdBy(events))
}
