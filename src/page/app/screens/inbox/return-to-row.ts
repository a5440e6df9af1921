import { useLayoutEffect } from 'preact/hooks'
import { currentLocation } from '../../core/places/navigation'

let opened: number | undefined

/** Keeps which row was opened: going back leads to it. */
export const rememberRow = (id: number): void => {
  opened = id
}

/** After going back, the focus is on the row that was opened. */
export function useReturn(list: { current: HTMLElement | null }): void {
  useLayoutEffect(() => {
    if (currentLocation().by !== 'history' || opened === undefined) return
    const row = list.current?.querySelector<HTMLElement>(`a[data-row="${opened}"]`)
    row?.focus({ preventScroll: true })
    opened = undefined
  }, [])
}
