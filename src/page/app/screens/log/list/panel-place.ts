import type { JSX } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { LogStore } from './log-store'

/** Another filter begins with its first event, also where one had scrolled below it. */
export function useTopOn(log: LogStore, panel: { current: HTMLElement | null }): void {
  const before = useRef(log)
  useLayoutEffect(() => {
    if (before.current === log) return
    before.current = log
    const bar = document.querySelector('.top')?.getBoundingClientRect().bottom ?? 0
    const top = panel.current?.getBoundingClientRect().top ?? bar
    if (top < bar) window.scrollBy(0, top - bar)
  }, [log, panel])
}

/** When the row that has the focus goes away, the panel has it. */
export function useFocusKept(panel: {
  current: HTMLElement | null
}): Pick<JSX.IntrinsicElements['section'], 'tabIndex' | 'onFocusIn' | 'onFocusOut'> {
  const within = useRef(false)
  useLayoutEffect(() => {
    const { activeElement } = document
    if (!within.current || (activeElement !== null && activeElement !== document.body)) return
    within.current = false
    panel.current?.focus({ preventScroll: true })
  })
  const leave = (target: EventTarget | null) => {
    if (target instanceof Node && target.isConnected) within.current = false
  }
  return {
    tabIndex: -1,
    onFocusIn: () => {
      within.current = true
    },
    onFocusOut: ({ target, relatedTarget }) => {
      if (relatedTarget instanceof Element) within.current = panel.current?.contains(relatedTarget) === true
      // A press on nothing leaves it; a row that is taken away does not.
      else queueMicrotask(() => leave(target))
    },
  }
}
