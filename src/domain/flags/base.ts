import { targetPart } from '../actions/table'
import type { Change, JsonValue, NewChange } from '../change-request'
import type { FlagState } from '../flag-state'

/** Equal for equal JSON, whatever the order of its keys. The domain computes no hashes of its own. */
export type Hash = (value: JsonValue) => string

/** What the change can alter, as it is on these flags, with its hash; nothing where the gateway does not say. */
export function baseOf(change: NewChange, flags: FlagState | undefined, hash: Hash): Pick<Change, 'base' | 'baseHash'> {
  const base = flags && targetPart(change, flags)
  return base === undefined ? {} : { base, baseHash: hash(base) }
}
