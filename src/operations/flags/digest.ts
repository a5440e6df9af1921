import { createHash } from 'node:crypto'
import type { ChangeRequest } from '../../domain/change-request'
import type { DefaultChange } from '../../domain/flags/flag-state'
import { withSortedKeys } from '../runtime/sorted-keys'

/**
 * Identifies the changes that a vote is bound to: all that would be carried out, default changes included (contract 6.3).
 */
export function digestOf(
  { changes }: Pick<ChangeRequest, 'changes'>,
  defaultChanges: ReadonlyMap<string, DefaultChange> = new Map(),
): string {
  const content = [
    ...changes.map(({ id, action, feature, payload }) => [id, action, feature, payload]),
    ...[...defaultChanges.values()].map(({ action, feature, payload }) => [
      null,
      action,
      feature,
      withSortedKeys(payload),
    ]),
  ]
  return `sha256:${createHash('sha256').update(JSON.stringify(content)).digest('hex')}`
}
