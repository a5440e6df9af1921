import { targetPart } from '../../domain/actions/table'
import type { ChangeRequest, Scheduling } from '../../domain/change-request'
import type { FlagState } from '../../domain/flag-state'
import { hashOf } from '../flags/digest'

/** Digests of what each change can alter, by the id of the change; none for targets that the gateway does not return. */
export function targetDigests({ changes }: ChangeRequest, flags: FlagState | undefined): Scheduling['targets'] {
  if (flags === undefined) return {}
  const digests = changes.flatMap((change) => {
    const part = targetPart(change, flags)
    return part === undefined ? [] : [[change.id, hashOf(part)] as const]
  })
  return Object.fromEntries(digests)
}
