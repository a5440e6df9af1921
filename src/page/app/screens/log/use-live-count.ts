import { useLayoutEffect, useRef } from 'preact/hooks'
import type { EventView } from '../../../../generated'
import { useLive } from '../../core/api/live'

const everyMs = 1_000

/**
 * Reads a count again for new events, at most once a second. A read and the stream may both have an event, so that adding it
 * to what was read could count it twice.
 */
export function useLiveCount(refresh: () => unknown, counts: (event: EventView) => boolean): void {
  const latest = useRef(refresh)
  latest.current = refresh
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useLayoutEffect(() => () => clearTimeout(timer.current), [])
  useLive((events) => {
    if (events.length > 0 && !events.some(counts)) return
    timer.current ??= setTimeout(
      () => {
        timer.current = undefined
        void latest.current()
      },
      events.length === 0 ? 0 : everyMs,
    )
  })
}
