import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { none } from '../../words/numbers'
import { visible } from '../../words/visible'
import { config } from '../tools/config'
import { currentLocation } from './navigation'

let wanted = false

/** The next heading takes the focus, although its screen was not gone to by a link: what had the focus goes away. */
export function passFocus(): void {
  wanted = true
}

let [screenTitle, prefix] = [document.title, '']

function showTitle(): void {
  document.title = visible(prefix + screenTitle)
}

/** The title of the document, without the number in front of it. */
export const currentTitle = (): string => screenTitle

/** How many change requests need the viewer, in front of the title of each screen; undefined for nothing. */
export function setTitleCount(count: string | undefined): void {
  prefix = count === undefined || count === none ? '' : `(${count}) `
  showTitle()
}

interface PageTitleProps {
  /** What the tab of the browser says. */
  readonly title: string
  readonly children?: ComponentChildren
}

/** The heading of a screen. It names the document, and has the focus after going to the screen. */
export function PageTitle({ title, children }: PageTitleProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    screenTitle = title === config.title ? title : `${title} · ${config.title}`
    showTitle()
  }, [title])
  // In the layout phase, so that no key is pressed before it.
  useLayoutEffect(() => {
    const active = document.activeElement
    const free = active === null || active === document.body || active.id === 'main' || !active.closest('main, dialog')
    if (free && (wanted || currentLocation().by !== 'load')) heading.current?.focus({ preventScroll: true })
    wanted = false
  }, [])
  return (
    <h1 tabIndex={-1} ref={heading}>
      {children ?? title}
    </h1>
  )
}
