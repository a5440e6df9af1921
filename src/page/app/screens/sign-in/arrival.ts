import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { passFocus } from '../../core/places/title'
import { config } from '../../core/tools/config'

/** Puts the focus on the form that stands over the page, and names the document; afterwards the focus goes back. */
export function useArrival<T extends HTMLElement>(): RefObject<T | null> {
  const element = useRef<T>(null)
  useLayoutEffect(() => {
    const [before, title] = [document.activeElement, document.title]
    passFocus()
    document.title = `Sign in · ${config.title}`
    // A window behind it, which would keep the focus, is closed by this drawing too.
    queueMicrotask(() => element.current?.focus())
    return () => {
      if (document.title.startsWith('Sign in')) document.title = title
      // The content behind the form can be reached again when the frame is rendered.
      requestAnimationFrame(() => {
        const heading = document.querySelector<HTMLElement>('main h1')
        const next = before instanceof HTMLElement && before !== document.body && before.isConnected ? before : heading
        if (document.activeElement === document.body) next?.focus()
      })
    }
  }, [])
  return element
}
