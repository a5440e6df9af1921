/** What the page is brought back to, and its height when it was there. */
interface Restoring {
  readonly top: number
  readonly observer: ResizeObserver
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
  if (restoring?.height === document.body.scrollHeight && !isAt(restoring.top)) stopRestoring()
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

/** Scrolls to where the entry of the history was left, until the page has settled there or the user does something. */
export function restoreTop(): void {
  stopRestoring()
  clearTimeout(saving)
  const top: number = history.state?.top ?? 0
  window.scrollTo(0, top)
  if (top === 0) return
  const observer = new ResizeObserver(() => {
    window.scrollTo(0, top)
    clearTimeout(settling)
    now.height = isAt(top) ? document.body.scrollHeight : undefined
    if (now.height !== undefined) settling = setTimeout(stopRestoring, settledMs)
  })
  const now: Restoring = { top, observer, height: undefined }
  restoring = now
  observer.observe(document.body)
}

export function stopRestoring(): void {
  clearTimeout(settling)
  restoring?.observer.disconnect()
  restoring = undefined
}

function isAt(top: number): boolean {
  return Math.abs(window.scrollY - top) < 2
}
