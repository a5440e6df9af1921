import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Decision } from '../../domain/decisions/decision'
import type { FlagState, Subjects } from '../../domain/flag-state'
import { ChangeRequestError } from '../../errors'
import { fromGateway } from '../../kernel/host/failures'
import { furtherMentions, subjectsOf, withMissing } from '../../kernel/host/flag-state'
import { checkFlagEvents, checkFlagState } from '../../kernel/host/gateway-results'
import type { Services } from '../../kernel/services'
import { finish } from '../../kernel/step/flag-events'
import type { FlagGateway, SyncFlagGateway } from '../../ports/flags'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'
import type { Storage } from '../../ports/storage/storage'
import { applyContext, copyChanges, copyPreview, type Plan } from './plan'

/**
 * Like `applyInTransaction`, for a storage in whose transactions nothing may wait. The decision is made before the transaction;
 * if the flags that are read in it differ from those of the decision, that is a lost race. Undefined for a lost race.
 */
export async function applySynchronously(
  services: Services,
  flags: FlagGateway | SyncFlagGateway,
  transactionSync: NonNullable<Storage['transactionSync']>,
  { loaded, command, preview }: Plan,
): Promise<StoredChangeRequest | undefined> {
  const { changeRequest } = loaded
  const { before } = copyPreview(preview)
  const outdatedFlags = new Error('The flags have changed since the decision.')
  const call = <Value>(method: 'current' | 'apply', hook: () => Value | Promise<Value>): Value => {
    try {
      return settled(method, hook())
    } catch (error) {
      return fromGateway(services.storage, error)
    }
  }
  let applied: { readonly stored: StoredChangeRequest; readonly decision: Decision } | undefined
  const apply = () =>
    transactionSync((transaction) => {
      const subjects = subjectsOf(changeRequest, changeRequest.changes)
      const read = (about: Subjects) =>
        checkFlagState(call('current', () => flags.current(about, { transaction, forUpdate: true })))
      const found = read(subjects)
      const further = furtherMentions(subjects, found)
      const locked = further === undefined ? found : withMissing(found, read(further))
      if (!isDeepStrictEqual(compared(structuredClone(locked)), compared(before))) throw outdatedFlags
      const context = applyContext(changeRequest, command.by.author, randomUUID(), transaction)
      const result = call('apply', () => flags.apply(copyChanges(changeRequest, preview), context))
      const events = checkFlagEvents('apply', result)
      const decision = finish(services, changeRequest, command, events, before)
      const { stored, write } = services.writer.prepare(loaded, decision)
      applied = { stored, decision }
      return write
    })
  try {
    const isCommitted = await services.telemetry.span('commit', apply)
    if (!isCommitted || applied === undefined) return undefined
    services.writer.committed(loaded, applied.decision)
    return applied.stored
  } catch (error) {
    if (error === outdatedFlags) return undefined
    throw error
  }
}

/** What the decision depends on. */
function compared(flags: FlagState | undefined): Omit<FlagState, 'segmentUse'> | undefined {
  if (flags === undefined) return undefined
  const { segmentUse: _, ...others } = flags
  return others
}

/** @throws UnknownError for a promise: what it does would become part of no transaction, or of another one. */
function settled<Value>(method: string, result: Value | Promise<Value>): Value {
  if (typeof (result as PromiseLike<Value> | null)?.then !== 'function') return result as Value
  ;(result as Promise<Value>).then(undefined, () => undefined)
  throw new ChangeRequestError(
    'UnknownError',
    `flags.${method} returned a promise, and the apply was rolled back. Nothing may wait in a transaction of this storage: ` +
      'use a SyncFlagGateway, or a gateway without transactional.',
  )
}
