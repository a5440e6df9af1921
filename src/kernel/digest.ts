import { hash } from 'node:crypto'
import type { Change, ChangeRequest, JsonValue, VotedChange } from '../domain/change-request'
import { customValues } from '../domain/custom-fields/custom-fields'
import { canonical } from '../domain/diff/canonical'
import type { DefaultChange } from '../domain/flag-state'
import type { Activations } from '../domain/flags/default-changes'

/**
 * Identifies the content that a vote is bound to: the changes, each with the base that its author last saw, the implied
 * changes, the strategies that the changes activate without naming them, and the custom fields (contract 6.3). Changes count as
 * they were sent, all that the gateway returns by its meaning.
 */
export function digestOf(
  { changes, customFields }: Pick<ChangeRequest, 'changes' | 'customFields'>,
  defaultChanges: ReadonlyMap<string, DefaultChange> = new Map(),
  activations: Activations = new Map(),
): string {
  return sha256([
    ...changes.map(({ id, ...change }) => [id, ...contentOf(change)]),
    ...[...defaultChanges.values()].map(({ action, feature, payload }) => [null, action, feature, canonical(payload)]),
    ...[...activations].map(([id, strategies]) => [id, hashOf({ strategies: [...strategies] })]),
    // An object, so that nothing of the flags can look like it.
    ...(customFields === undefined ? [] : [{ customFields: withSortedKeys(customValues({ customFields })) }]),
  ])
}

export function changeDigests({ changes }: Pick<ChangeRequest, 'changes'>): { id: number; digest: string }[] {
  return changes.map((change) => ({ id: change.id, digest: sha256(contentOf(change)) }))
}

/** The {@link changeDigests} as they are stored with votes: 128 bits suffice to compare versions of one change. */
export function toVotedChanges(digests: ReturnType<typeof changeDigests>): VotedChange[] {
  return digests.map(({ id, digest }) => ({ id, digest: digest.slice('sha256:'.length).slice(0, 32) }))
}

function contentOf({ action, feature, payload, baseHash }: Omit<Change, 'id'>) {
  return baseHash === undefined ? [action, feature, payload] : [action, feature, payload, baseHash]
}

/** Hash of a part of a target, such as the base of a change: equal for parts that are equal by meaning (contract 16). */
export function hashOf(part: JsonValue): string {
  return sha256(canonical(part))
}

function sha256(content: unknown): string {
  return `sha256:${hash('sha256', JSON.stringify(content), 'hex')}`
}

/** Sorts the keys of all objects, at every depth, so that equal values have equal JSON texts. */
export function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, withSortedKeys(inner)] as const)
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)))
}
