import { createHash } from 'node:crypto'
import type { ChangeRequest, Scheduling } from '../../domain/change-request'
import type { FlagState } from '../../domain/flags/flag-state'
import { targetPart } from '../../domain/flags/target-part'
import { withSortedKeys } from '../runtime/sorted-keys'

/** Digests of what each change can alter, by the id of the change; none for what the gateway does not say. */
export function targetDigests({ changes }: ChangeRequest, flags: FlagState | undefined): Scheduling['targets'] {
  if (flags === undefined) return {}
  const digests = changes.flatMap((change) => {
    const part = targetPart(change, flags)
    return part === undefined ? [] : [[change.id, digest(JSON.stringify(withSortedKeys(part)))] as const]
  })
  return Object.fromEntries(digests)
}

function digest(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`
}
