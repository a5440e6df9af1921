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
