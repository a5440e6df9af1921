import { randomUUID } from 'node:crypto'
import type { ApplyAttempt } from '../../domain/change-request'
import { abandonApply, beginApply as decideBegin } from '../../domain/decisions/apply'
import { ChangeRequestError } from '../../errors'
import { gatewayFailure } from '../../kernel/host/failures'
import { checkFlagEvents } from '../../kernel/host/gateway-results'
import { within } from '../../kernel/host/hooks'
import type { Services } from '../../kernel/services'
import { finish } from '../../kernel/step/flag-events'
import { readOutcome } from '../../kernel/step/settle'
import type { FlagEvent, FlagGateway } from '../../ports/flags'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'
import { applyContext, copyExpectingChanges, copyPreview, type Plan } from './plan'

/** An apply attempt whose intent is stored. Until the result is stored, every other write is rejected. */
export interface StartedApply {
  readonly flags: FlagGateway
  readonly started: StoredChangeRequest
  readonly plan: Plan
}

/** Stores the intent, so that an interrupted apply can be found. Undefined for a lost race. */
export async function beginApply(
  { writer }: Pick<Services, 'writer'>,
  flags: FlagGateway,
  plan: Plan,
): Promise<StartedApply | undefined> {
  const { loaded, command, preview } = plan
  const intent = { ...command, digest: preview.digest }
  const started = await writer.commit(loaded, decideBegin(loaded.changeRequest, randomUUID(), intent))
  return started && { flags, started, plan: { ...plan, preview: copyPreview(preview) } }
}

/** Calls the gateway and stores the result. Blocks no queue meanwhile, because a gateway can be slow. */
export async function finishApply(services: Services, apply: StartedApply): Promise<StoredChangeRequest> {
  const { writer, storage } = services
  const { started, plan } = apply
  const { changeRequest } = started
  const { command, preview } = plan
  const events = await callGateway(services, apply)
  let current = started
  return writer.retryOnConflict(async () => {
    const decision = finish(services, current.changeRequest, command, events, preview.before)
    const stored = await writer.commit(current, decision)
    if (stored !== undefined) return stored
    const latest = await storage.find({ project: changeRequest.project }, changeRequest.id)
    // Another process got the outcome from the gateway and stored the same result.
    if (latest?.changeRequest.state === 'Applied') return latest
    if (latest !== undefined && isSameAttempt(latest, started)) {
      // A user has objected since.
      current = latest
      return undefined
    }
    const settled = 'but the apply was already settled as not applied.'
    services.logger.error({ id: changeRequest.id, events }, `The flag gateway applied changes, ${settled}`)
    const text = `The changes were applied, ${settled} Contact an operator of this server.`
    throw new ChangeRequestError('UnknownError', text)
  })
}

/** Returns the events of the gateway. If nothing was applied, the intent is removed before the error is thrown. */
async function callGateway(services: Services, { flags, started, plan }: StartedApply): Promise<readonly FlagEvent[]> {
  const { changeRequest } = started
  const { applyId, by } = changeRequest.applying as ApplyAttempt
  const abandon = async (error: unknown): Promise<never> => {
    await abandonAttempt(services, started)
    throw gatewayFailure(error)
  }
  // A rejection means that nothing was applied. After any other failure only the gateway knows.
  const afterFailure = async (error: unknown) => {
    if (flags.outcome === undefined) throw gatewayFailure(error, unknownOutcome)
    const events = await readOutcome(services, applyId)
    if (events === null) return abandon(error)
    const { project, id } = changeRequest
    services.logger.warn({ err: error, project, id }, 'The flag gateway failed after it had applied the changes.')
    return events
  }
  let result: unknown
  try {
    const context = applyContext(changeRequest, by, applyId)
    const call = () => flags.apply(copyExpectingChanges(changeRequest, plan.preview), context)
    result = await within(services.options.limits.applyTimeoutMs, 'flags.apply', call)
  } catch (error) {
    return ChangeRequestError.is(error) ? abandon(error) : afterFailure(error)
  }
  try {
    return checkFlagEvents('apply', result)
  } catch (error) {
    return afterFailure(error)
  }
}

function abandonAttempt({ writer, storage }: Services, started: StoredChangeRequest): Promise<true> {
  const { project, id } = started.changeRequest
  return writer.retryOnConflict(async (first) => {
    const current = first ? started : await storage.find({ project }, id)
    if (current === undefined || !isSameAttempt(current, started)) return true
    return (await writer.commit(current, abandonApply(current.changeRequest))) && true
  })
}

function isSameAttempt(one: StoredChangeRequest, other: StoredChangeRequest): boolean {
  return one.changeRequest.applying?.applyId === other.changeRequest.applying?.applyId
}

const unknownOutcome =
  'it is unknown whether the changes were applied. The change request is locked until an operator of this server ends ' +
  'the apply with the command "express-change-requests settle"'
