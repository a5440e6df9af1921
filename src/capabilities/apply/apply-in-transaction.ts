import { randomUUID } from 'node:crypto'
import type { ChangeRequest } from '../../domain/change-request'
import { ChangeRequestError } from '../../errors'
import { fromGateway } from '../../kernel/host/failures'
import { lockedFlags } from '../../kernel/host/flag-state'
import { checkFlagEvents } from '../../kernel/host/gateway-results'
import { HookTimeoutError, within } from '../../kernel/host/hooks'
import type { Services } from '../../kernel/services'
import { finish } from '../../kernel/step/flag-events'
import type { FlagGateway, SyncFlagGateway } from '../../ports/flags'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'
import type { TransactionStorage } from '../../ports/storage/storage'
import { applySynchronously } from './apply-synchronously'
import { applyContext, copyChanges, copyPreview, type Plan, type Replan } from './plan'

/** Writes flags, state and events in one transaction, on flags that are read again and locked in it. */
export async function applyInTransaction(
  services: Services,
  flags: FlagGateway | SyncFlagGateway,
  plan: Plan,
  replan: Replan,
): Promise<StoredChangeRequest | undefined> {
  const { storage, telemetry, writer } = services
  const { loaded } = plan
  if (storage.transactionSync !== undefined) return applySynchronously(services, flags, storage.transactionSync, plan)
  const { changeRequest } = loaded
  const lostRace = new Error('Another process was faster.')
  const work = async (transaction: unknown, transactionStorage: TransactionStorage) => {
    const call = <Value>(method: string, hook: () => Value | Promise<Value>) =>
      callInTransaction(services, changeRequest, method, hook)
    const locked = await call('current', () => lockedFlags(services, changeRequest, { transaction, forUpdate: true }))
    const { command, preview } = await replan(locked)
    const { before } = copyPreview(preview)
    const context = applyContext(changeRequest, command.by.author, randomUUID(), transaction)
    const result = await call('apply', () => flags.apply(copyChanges(changeRequest, preview), context))
    const events = checkFlagEvents('apply', result)
    const decision = finish(services, changeRequest, command, events, before)
    const { stored, write } = writer.prepare(loaded, decision)
    // Throwing rolls back what the gateway wrote.
    if (!(await telemetry.span('commit', () => transactionStorage.commit(write)))) throw lostRace
    return { stored, decision }
  }
  try {
    if (storage.transaction === undefined) throw new Error('The storage has no transactions.')
    const { stored, decision } = await storage.transaction(work)
    writer.committed(loaded, decision)
    return stored
  } catch (error) {
    if (error === lostRace) return undefined
    throw error
  }
}

/** Without a time limit, a gateway on another connection could wait forever for a lock of this transaction. */
async function callInTransaction<Value>(
  { logger, options, storage }: Services,
  { id }: ChangeRequest,
  method: string,
  hook: () => Value | Promise<Value>,
): Promise<Value> {
  const { hookTimeoutMs } = options.limits
  try {
    return await within(hookTimeoutMs, `flags.${method}`, hook)
  } catch (error) {
    if (!(error instanceof HookTimeoutError)) return fromGateway(storage, error)
    logger.error(
      { err: error, id },
      'The flag gateway did not respond inside the transaction of an apply. The transaction was rolled back. Most likely ' +
        'the gateway does not use context.transaction, and waited for a lock or for a free connection. Its write may ' +
        'have succeeded later: compare the flags with the change request.',
    )
    throw new ChangeRequestError(
      'UnavailableError',
      `The flag gateway did not respond within ${hookTimeoutMs} ms, and the apply was rolled back. Most likely ` +
        'it does not read and write through context.transaction.',
      { cause: error },
    )
  }
}
