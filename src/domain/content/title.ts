import type { ChangeRequest } from '../change-request'

/** Longer titles are rejected (contract 3.6). */
export const maxTitleLength = 200

/** The title of the change request that reverts this one. */
export function revertTitle(reverted: Titled): string {
  return titleAbout('Revert', reverted)
}

/** The title of a copy of this change request. */
export function copyTitle(copied: Titled): string {
  return titleAbout('Copy of', copied)
}

type Titled = Pick<ChangeRequest, 'id' | 'title'>

function titleAbout(what: string, { id, title }: Titled): string {
  const name = title ?? `Change request #${id}`
  const max = maxTitleLength - `${what} ""`.length
  return `${what} "${name.length > max ? `${name.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : name}"`
}
