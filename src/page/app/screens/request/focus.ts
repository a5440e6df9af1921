import { useLayoutEffect, useRef } from 'preact/hooks'
import { useKeys } from '../../core/tools/keys'
import type { ContentChange } from '../../words/content/compare'
import type { TargetItem } from '../../words/content/items'
import { isAllowed, presetsSchedules } from './review'
import type { RequestProps } from './use-request'

export const decisionId = 'decide-section'
export const approveId = 'step-approve'

/** Ids in the document; names of users never become part of one unescaped. */
export const targetId = ({ key }: Pick<TargetItem, 'key'>): string => `t-${encodeURIComponent(key)}`
export const changeId = (id: number): string => `change-${id}`
export const rowId = (markKey: string): string => `f-${encodeURIComponent(markKey)}`

/** Unfolds what contains an id and focuses it; false if the id is unknown. Only set for many changes. */
export const unfolding: { current: ((id: string) => boolean) | undefined } = { current: undefined }

/** Scrolls to a part of the screen and focuses it. */
export function focusOn(id: string): boolean {
  const element = document.getElementById(id)
  if (element === null) return unfolding.current?.(id) ?? false
  element.scrollIntoView({ block: 'start' })
  element.focus({ preventScroll: true })
  return true
}

/** Focuses the first highlighted part when the viewer shows a change. */
export function useFocusOnMarks(marks: ContentChange | null): void {
  const shown = useRef(marks)
  useLayoutEffect(() => {
    if (marks !== null && marks !== shown.current) focusOnFirst(marks)
    shown.current = marks
  }, [marks])
}

function focusOnFirst({ fields, added }: ContentChange): void {
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

/** The keys of the screen. No key decides, and none starts an emergency. */
export function useRequestKeys({ review, actions: { off, open } }: Pick<RequestProps, 'review' | 'actions'>): void {
  const press = (key: 'x' | 'c' | 'v') => {
    const folded = document.activeElement?.closest('.card')?.querySelector<HTMLElement>('.folded [aria-expanded]')
    if (folded) folded.click()
    else currentChange()?.querySelector<HTMLElement>(`[data-key="${key}"]`)?.click()
  }
  const openIf = (allowed: boolean, dialog: 'reject' | 'schedule') => off === null && allowed && open(dialog)
  useKeys({
    n: { label: 'next flag', run: () => focusOnFlag(1) },
    p: { label: 'previous flag', run: () => focusOnFlag(-1) },
    x: { label: 'JSON of this change', run: () => press('x') },
    c: { label: 'comment on this change', run: () => press('c') },
    v: { label: 'mark this change as viewed', run: () => press('v') },
    a: { label: 'to Approve (focus, no vote)', run: () => void (focusOn(approveId) || focusOn(decisionId)) },
    r: { label: 'reject…', run: () => openIf(isAllowed(review, 'reject'), 'reject') },
    s: { label: 'schedule…', run: () => openIf(isAllowed(review, 'schedule') || presetsSchedules(review), 'schedule') },
  })
}

/** The change that has the focus, else the first visible one. */
function currentChange(): HTMLElement | null {
  const around = document.activeElement?.closest<HTMLElement>('[data-change]')
  if (around) return around
  const card = document.activeElement?.closest('.card')
  const all = [...(card ?? document).querySelectorAll<HTMLElement>('[data-change]')]
  return all.find(isBelowTop) ?? all[0] ?? null
}

/** Goes to the next or previous flag. */
function focusOnFlag(by: 1 | -1): void {
  const cards = [...document.querySelectorAll<HTMLElement>('.card')]
  // The flags of a group are in its card.
  const at = cards.findLastIndex((card) => card.contains(document.activeElement))
  const visible = cards.findIndex(isBelowTop)
  const next = at >= 0 ? at + by : by > 0 ? visible : visible - 1
  const card = cards[Math.min(cards.length - 1, Math.max(0, next))]
  if (card) focusOn(card.id)
}

/** Whether it is not hidden below the bar at the top of the window. */
const isBelowTop = (element: HTMLElement): boolean => element.getBoundingClientRect().bottom > 80
