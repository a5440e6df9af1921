import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { config } from '../tools/config'
import { currentLocation } from './navigation'

let wanted = false

/** The next heading takes the focus, although its screen was not gone to by a link: what had the focus goes away. */
export function passFocus(): void {
  wanted = true
}

interface PageTitleProps {
  /** What the tab of the browser says. */
  readonly title: string
  readonly children?: ComponentChildren
}

/** The heading of a screen. It names the document, and has the focus after going to the screen. */
export function PageTitle({ title, children = title }: PageTitleProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    document.title = title === config.title ? title : `${title} · ${config.title}`
  }, [title])
  // With the drawing itself, so that no key is pressed between the two.
  useLayoutEffect(() => {
    const active = document.activeElement
    const free = active === null || active === document.body || active.id === 'main' || !active.closest('main, dialog')
    if (free && (wanted || currentLocation().by !== 'load')) heading.current?.focus({ preventScroll: true })
    wanted = false
  }, [])
  return (
    <h1 tabIndex={-1} ref={heading}>
      {children}
    </h1>
  )
}
