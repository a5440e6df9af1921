import type { ChangeRequest } from '../change-request'

/** Longer titles are rejected (contract 3.6). */
export const maxTitleLength = 200

export const revertTitle = (reverted: Titled) => titleAbout('Revert', reverted)
export const copyTitle = (copied: Titled) => titleAbout('Copy of', copied)

type Titled = Pick<ChangeRequest, 'id' | 'title'>

function titleAbout(what: string, { id, title }: Titled): string {
  const name = title ?? `Change request #${id}`
  const max = maxTitleLength - `${what} ""`.length
  return `${what} "${name.length > max ? `${name.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : name}"`
}
