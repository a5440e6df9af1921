import { useLayoutEffect, useRef } from 'preact/hooks'
import type { DiscussionCommentView, ReviewView } from '../../../../generated'
import { useKeys } from '../../core/tools/keys'
import type { ContentChange } from '../../words/content/compare'
import type { TargetItem } from '../../words/content/items'
import { isAllowed, presetsSchedules, stepOf } from './review'
import type { RequestProps } from './use-request'

export const decisionId = 'decide-section'
export const approveId = 'step-approve'
/** The text about what rejecting does. */
export const rejectingId = 'rejecting'
/** The text about what objecting does. */
export const objectingId = 'objecting'

/** Ids in the document; names of users never become part of one unescaped. */
export const targetId = ({ key }: Pick<TargetItem, 'key'>): string => `t-${encodeURIComponent(key)}`
export const changeId = (id: number): string => `change-${id}`
export const commentId = (id: number): string => `comment-${id}`
export const rowId = (markKey: string): string => `f-${encodeURIComponent(markKey)}`

/** The parts of the screen that can unfold what contains an id; false if they do not contain it. */
const unfolders = new Set<(id: string) => boolean>()

/** What is to be focused once the part that contains it is loaded. */
let awaited: string | undefined

/** Lets {@link focusOn} unfold what contains an id, which is focused once it is rendered. */
export function useUnfolding(unfold: (id: string) => boolean): void {
  const wanted = useRef<string>(undefined)
  const latest = useRef(unfold)
  latest.current = unfold
  useLayoutEffect(() => {
    const own = (id: string) => {
      if (!latest.current(id)) return false
      wanted.current = id
      return true
    }
    unfolders.add(own)
    if (awaited !== undefined && own(awaited)) awaited = undefined
    return () => {
      unfolders.delete(own)
    }
  }, [])
  useLayoutEffect(() => {
    const element = wanted.current === undefined ? null : document.getElementById(wanted.current)
    if (element === null) return
    wanted.current = undefined
    goTo(element)
  })
}

/** Scrolls to a part of the screen and focuses it. */
export function focusOn(id: string): boolean {
  const element = document.getElementById(id)
  if (element === null || element.closest('[hidden]') !== null) return [...unfolders].some((unfold) => unfold(id))
  goTo(element)
  return true
}

/** Whether the steps have the focus on the next screen of a change request, as on this one. */
export const arriving = { atSteps: false }

/** The same, also if the part that contains it is still being loaded. */
export function focusOnceLoaded(id: string): void {
  awaited = focusOn(id) ? undefined : id
}

function goTo(element: HTMLElement): void {
  // After a reload, and by back and forward, the page is scrolled to where what the address names was left.
  if (`#${element.id}` !== window.location.hash || history.state?.top === undefined)
    element.scrollIntoView({ block: 'start' })
  element.focus({ preventScroll: true })
  // What the address names stays marked.
  if (`#${element.id}` !== window.location.hash) return
  document.querySelector('[data-linked]')?.removeAttribute('data-linked')
  element.setAttribute('data-linked', '')
  const resolved = element.querySelector<HTMLDetailsElement>(':scope > article > details')
  if (resolved) resolved.open = true
}

/** The change that an id belongs to: its own, or that of a comment that is open at one. */
export function changeOf(id: string, { changes, discussion }: ReviewView): string {
  const comment = discussion.find((one) => commentId(one.id) === id)
  return comment?.changeId != null && isOpenAtChange(comment, changes) ? changeId(comment.changeId) : id
}

/** Whether a comment stands open below the change that it is about. */
export function isOpenAtChange(
  { changeId, resolved, deleted }: DiscussionCommentView,
  changes: ReviewView['changes'],
): boolean {
  return resolved === null && deleted === null && changes.some(({ id }) => id === changeId)
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
  const openIf = (allowed: boolean, dialog: 'object' | 'reject' | 'schedule') => off === null && allowed && open(dialog)
  useKeys({
    n: { label: 'next flag', run: () => focusOnFlag(1) },
    p: { label: 'previous flag', run: () => focusOnFlag(-1) },
    x: { label: 'JSON of this change', run: () => press('x') },
    c: { label: 'comment on this change', run: () => press('c') },
    v: { label: 'mark this change as viewed', run: () => press('v') },
    a: { label: 'to Approve (focus, no vote)', run: () => void (focusOn(approveId) || focusOn(decisionId)) },
    ...(stepOf(review, 'object') && {
      o: { label: 'object…', run: () => openIf(isAllowed(review, 'object'), 'object') },
    }),
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
