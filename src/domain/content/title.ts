import type { ChangeRequest } from '../change-request'

/** Longer titles are rejected (contract 3.6). */
export const maxTitleLength = 200

/** The title of the change request that reverts this one. */
export function revertTitle({ id, title }: Pick<ChangeRequest, 'id' | 'title'>): string {
  const name = title ?? `Change request #${id}`
  const max = maxTitleLength - 'Revert ""'.length
  return `Revert "${name.length > max ? `${name.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : name}"`
}
