import type { ChangeRequest } from '../change-request'

/** Longer titles are rejected (contract 3.6). */
export const maxTitleLength = 200

export const revertTitle = (reverted: Titled) => titleAbout('Revert', reverted)
export const copyTitle = (copied: Titled) => titleAbout('Copy of', copied)

type Titled = Pick<ChangeRequest, 'id' | 'title'>

/** The title of a change request that no user gave one. */
export const defaultTitle = (id: number): string => `Change request #${id}`

/** The title as responses have it. */
export const shownTitle = ({ id, title }: Titled): string => title ?? defaultTitle(id)

/** The text, with `…` in place of its end where it is longer. */
export function shortened(text: string, max = maxTitleLength): string {
  return text.length > max ? `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : text
}

function titleAbout(what: string, titled: Titled): string {
  return `${what} "${shortened(shownTitle(titled), maxTitleLength - `${what} ""`.length)}"`
}
