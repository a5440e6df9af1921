import type { TargetPart } from '../actions/action'
import { targetPart } from '../actions/table'
import type { Change, JsonValue, NewChange } from '../change-request'
import type { FlagState } from '../flag-state'

/** Equal for equal JSON, whatever the order of its keys. The domain computes no hashes of its own. */
export type Hash = (value: JsonValue) => string

/** The current part of the target that the change can alter, with its hash; empty if the gateway does not return it. */
export function baseOf(change: NewChange, flags: FlagState | undefined, hash: Hash): Pick<Change, 'base' | 'baseHash'> {
  const base = flags && targetPart(change, flags)
  return base === undefined ? {} : { base, baseHash: hash(base) }
}

/** What an edited change of a revert still restores; empty for any other change, and if it has another target. */
export function stillRestored(change: NewChange, old: Change): Pick<Change, 'restores'> {
  const { action, feature, payload, restores } = old
  const isSameTarget = change.action === action && change.feature === feature && idIn(change.payload) === idIn(payload)
  return restores === undefined || !isSameTarget ? {} : { restores }
}

function idIn(payload: JsonValue): unknown {
  return (payload as { readonly id?: unknown }).id
}

/** The part that a stored change is compared with: what it restores, else what its target had when it was proposed. */
export function partBefore({ restores, base }: Change): TargetPart {
  return (restores ?? base) as TargetPart
}

/** The same for a change that is proposed now; undefined without a gateway. */
export function currentPart(change: NewChange & Pick<Change, 'restores'>, flags: FlagState | undefined): TargetPart {
  return (change.restores as TargetPart) ?? (flags && targetPart(change, flags))
}
