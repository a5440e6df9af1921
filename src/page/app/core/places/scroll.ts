/** The position that the page is scrolled back to. */
interface Restoring {
  readonly observer: ResizeObserver
  /** Undefined until the element that the address names is rendered. */
  readonly top: () => number | undefined
  /** The height of the page when it was there. */
  height: number | undefined
}

let restoring: Restoring | undefined
let settling: ReturnType<typeof setTimeout> | undefined
let saving: ReturnType<typeof setTimeout> | undefined

/** A screen has its height by then, or reports that it is loading, which is short. */
const settledMs = 1_000

// The browser would scroll before the screen is rendered.
history.scrollRestoration = 'manual'

window.addEventListener('scroll', () => {
  // A page of the same height is scrolled by the user, perhaps with the scroll bar.
  if (restoring?.height === document.body.scrollHeight && !isAt(restoring.top())) stopRestoring()
  clearTimeout(saving)
  // Safari rejects more than 10 changes of the history a second.
  saving = setTimeout(saveTop, 150)
})
window.addEventListener('pagehide', saveTop)
for (const type of ['wheel', 'touchstart', 'pointerdown', 'keydown']) {
  window.addEventListener(type, stopRestoring, { capture: true, passive: true })
}

/** The entry of the history keeps how far it is scrolled. Call it before going to another one. */
export function saveTop(): void {
  clearTimeout(saving)
  if (restoring === undefined) history.replaceState({ ...history.state, top: window.scrollY }, '')
}

/**
 * Scrolls to where the entry of the history was left, or to the element that the hash names, until the page has settled there or
 * the user does something.
 */
export function restoreTop(): void {
  stopRestoring()
  clearTimeout(saving)
  const { hash } = window.location
  const saved: number | undefined = history.state?.top ?? (hash === '' ? 0 : undefined)
  const top = () => saved ?? topOf(decodeURIComponent(hash.slice(1)))
  scrollToTop(top())
  if (saved === 0) return
  const observer = new ResizeObserver(() => {
    scrollToTop(top())
    clearTimeout(settling)
    now.height = isAt(top()) ? document.body.scrollHeight : undefined
    if (now.height !== undefined) settling = setTimeout(stopRestoring, settledMs)
  })
  const now: Restoring = { top, observer, height: undefined }
  restoring = now
  observer.observe(document.body)
}

/** As far down as the page can be scrolled, the element is in the window. */
function topOf(id: string): number | undefined {
  const element = document.getElementById(id)
  if (element === null) return undefined
  const margin = Number.parseFloat(getComputedStyle(element).scrollMarginTop)
  const lowest = document.documentElement.scrollHeight - window.innerHeight
  return Math.max(0, Math.min(element.getBoundingClientRect().top + window.scrollY - margin, lowest))
}

function scrollToTop(top: number | undefined): void {
  if (top !== undefined) window.scrollTo(0, top)
}

export function stopRestoring(): void {
  clearTimeout(settling)
  restoring?.observer.disconnect()
  restoring = undefined
}

function isAt(top: number | undefined): boolean {
  return top !== undefined && Math.abs(window.scrollY - top) < 2
}
