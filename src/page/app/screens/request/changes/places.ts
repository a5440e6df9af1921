import type { ContentChange } from '../../../words/content/compare'
import type { TargetItem } from '../../../words/content/items'

/** Ids in the document; names of people never become part of one as they are. */
export function targetId({ key }: Pick<TargetItem, 'key'>): string {
  return `t-${encodeURIComponent(key)}`
}

export function changeId(id: number): string {
  return `c-${id}`
}

export function rowId(markKey: string): string {
  return `f-${encodeURIComponent(markKey)}`
}

/** Shows what is folded around an id and moves the focus there; false if the id is unknown. Only set for many changes. */
export const unfolding: { current: ((id: string) => boolean) | undefined } = { current: undefined }

/** Brings a part of the screen into sight and moves the focus to it. */
export function focusOn(id: string): boolean {
  const element = document.getElementById(id)
  if (element === null) return unfolding.current?.(id) ?? false
  element.scrollIntoView({ block: 'start' })
  element.focus({ preventScroll: true })
  return true
}

/** The change that a key is about: that with the focus, else the first one in sight. */
export function changeAtHand(): HTMLElement | null {
  const around = document.activeElement?.closest<HTMLElement>('[data-change]')
  if (around) return around
  const card = document.activeElement?.closest('.card')
  const all = [...(card ?? document).querySelectorAll<HTMLElement>('[data-change]')]
  return all.find((one) => one.getBoundingClientRect().bottom > 80) ?? all[0] ?? null
}

/** Goes to the next or previous flag. */
export function stepFlag(by: 1 | -1): void {
  const cards = [...document.querySelectorAll<HTMLElement>('.card')]
  // The flags of a group are in its card.
  const at = cards.findLastIndex((card) => card.contains(document.activeElement))
  const next = at < 0 ? firstInSight(cards, by) : at + by
  const card = cards[Math.min(cards.length - 1, Math.max(0, next))]
  if (card) focusOn(card.id)
}

function firstInSight(cards: readonly HTMLElement[], by: 1 | -1): number {
  const found = cards.findIndex((card) => card.getBoundingClientRect().bottom > 80)
  return by > 0 ? Math.max(0, found) : found - 1
}

/** Goes to the first of what is to be looked at again. */
export function focusOnFirst({ fields, added }: ContentChange): void {
  const ids = [...[...fields.keys()].map(rowId), ...[...added].map(changeId)]
  const changes = [...[...fields.keys()].map((key) => changeId(Number.parseInt(key, 10))), ...[...added].map(changeId)]
  const found = ids.flatMap((id) => document.getElementById(id) ?? [])
  const [first] = found.sort((one, other) =>
    one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
  )
  if (first) {
    first.scrollIntoView({ block: 'center' })
    first.focus({ preventScroll: true })
  } else if (!changes.some(focusOn)) document.getElementById('changes')?.focus()
}
