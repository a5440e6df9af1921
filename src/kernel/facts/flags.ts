import type { KnownPart } from '../../domain/actions/action'
import { definitionOf, targetPart } from '../../domain/actions/table'
import type { Change, ChangeRequest, Scheduling } from '../../domain/change-request'
import type { DefaultChange, FlagState, StrategyState } from '../../domain/flag-state'
import { findActivations } from '../../domain/flags/default-changes'
import { isClosed } from '../../domain/lifecycle'
import { hashOf } from '../digest'
import { currentFlagsOf } from '../host/flag-state'
import type { FactContext } from './fact-context'

/** The current flags. Closed change requests are never applied, so the gateway is not called for them. */
export async function gatherFlags(context: FactContext): Promise<FlagState | undefined> {
  const { services, changeRequest, flagsAreOptional, flagsError } = context
  if (isClosed(changeRequest) || (flagsError !== undefined && flagsAreOptional === true)) return undefined
  if (flagsError !== undefined) throw flagsError
  try {
    return await currentFlagsOf(services, [changeRequest])
  } catch (err) {
    if (flagsAreOptional !== true) throw err
    const text = 'A change request was closed without a snapshot of its flags, because the flag gateway failed.'
    services.logger.warn({ err, id: changeRequest.id }, text)
    return undefined
  }
}

/** Digests of what each change can alter, by the id of the change; none for targets that the gateway does not return. */
export function targetDigests(
  { changes }: ChangeRequest,
  flags: FlagState | undefined,
  defaultChanges: ReadonlyMap<string, DefaultChange>,
): Scheduling['targets'] {
  if (flags === undefined) return {}
  const activations = findActivations(changes, defaultChanges, flags)
  const digests = changes.flatMap((change) => {
    const part = targetPart(change, flags)
    return part === undefined
      ? []
      : [[change.id, hashOf(withActivated(change, part, activations.get(change.id)))] as const]
  })
  return Object.fromEntries(digests)
}

/** With only those strategies that the change would activate: an edit of another one does not matter to it. */
function withActivated(change: Change, part: KnownPart, activated: readonly StrategyState[] = []): KnownPart {
  return part === null || definitionOf(change).activates === undefined ? part : { ...part, strategies: [...activated] }
}
