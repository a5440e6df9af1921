import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { currentLocation } from '../../../core/places/navigation'
import { stopRestoring } from '../../../core/places/scroll'
import type { LogRow } from './rows'
import type { Virtual } from './virtual-list'

/** The first row that was in sight when the list was left. */
let left: string | undefined

/**
 * Going back leads to the row that the user left: heights are only known of rendered rows, so that the same distance
 * from the top is another row.
 */
export function useReturnToRow(rows: readonly LogRow[], virtual: RefObject<Virtual | null>, stuck: () => number): void {
  const latest = useRef(rows)
  latest.current = rows
  useLayoutEffect(() => {
    const isBack = currentLocation().by === 'history'
    const index = isBack && left !== undefined ? rows.findIndex(({ key }) => key === left) : -1
    left = undefined
    // The scroll position is restored first.
    if (index > 0) afterFrames(3, () => bringUp(index, virtual.current, stuck()))
    const remember = () => {
      // Another screen begins at its top, while this one is still rendered.
      if (currentLocation().place.screen !== 'log') return
      left = latest.current[virtual.current?.firstBelow(stuck()) ?? 0]?.key
    }
    window.addEventListener('scroll', remember, { passive: true })
    return () => window.removeEventListener('scroll', remember)
  }, [])
}

/** Below what is stuck to the top; the rows around it are measured first. */
function bringUp(index: number, virtual: Virtual | null, stuck: number): void {
  stopRestoring()
  virtual?.scrollTo(index)
  afterFrames(2, () => {
    const row = document.querySelector(`.events > [data-index="${index}"]`)
    if (row !== null) window.scrollBy(0, row.getBoundingClientRect().top - stuck)
  })
}

function afterFrames(count: number, run: () => void): void {
  if (count === 0) run()
  else requestAnimationFrame(() => afterFrames(count - 1, run))
}
