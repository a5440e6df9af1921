import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { EventView } from '../../../../../generated'
import { useLive } from '../../../core/api/live'
import { say } from '../../../parts/messages/status-line'
import { counted } from '../../../words/numbers'
import type { ShownFilter } from '../search/filter'
import type { LogState, LogStore } from './log-store'
import { isAfterDays, mayMatch, type Outside, withOutside } from './matches'

/** How the list follows the log. */
export interface Following {
  readonly isOn: boolean
  readonly toggle: () => void
  /** New events behind the days of the filter. */
  readonly outside: Outside | undefined
  /** Scrolls to the top and shows what waits there. */
  readonly toNewest: () => void
}

/** New events come on top while one is there and reads none of them; else they wait, and nothing moves. */
export function useFollowing(log: LogStore, state: LogState, filter: ShownFilter, zone: string): Following {
  const [isOn, setOn] = useState(true)
  const [outside, setOutside] = useState<Outside & { log: LogStore }>()
  const checkIn = useThrottled(log.check)
  useLive((events) => {
    const beyond = events.filter((event) => isAfterDays(event, filter))
    if (beyond.length > 0) {
      setOutside((before) => ({ log, ...withOutside(before?.log === log ? before : undefined, beyond, zone) }))
    }
    if (events.length > 0 && !events.some((event) => mayMatch(event, filter))) return
    // Many events make few requests, and a stream that never pauses makes some.
    checkIn(events.length === 0 ? 0 : 200)
  })
  const waiting = state.fresh.events.length
  useLayoutEffect(() => {
    if (waiting === 0) return
    if (isOn && isFree()) log.showFresh()
    else say(`${counted(waiting, 'new event')} above.`)
  }, [waiting, isOn, log])
  const toNewest = () => {
    window.scrollTo(0, 0)
    log.showFresh()
  }
  const toggle = () => {
    const next = !isOn || window.scrollY > topmost || waiting > 0
    setOn(next)
    if (next) toNewest()
    say(next ? 'Following: new events come on top.' : 'Not following.')
  }
  return { isOn, toggle, toNewest, outside: outside?.log === log ? outside : undefined }
}

const topmost = 8

/** Scrolled to the top, with no event open and none that has the focus: nothing moves away from under anybody. */
function isFree(): boolean {
  const list = document.querySelector('.events')
  if (list === null) return true
  return (
    window.scrollY <= topmost && list.querySelector('.event.open') === null && !list.contains(document.activeElement)
  )
}

const everyMs = 1_000

/**
 * Reads a count again for new events, at most once a second. A read and the stream may both have an event, so that adding it
 * to what was read could count it twice.
 */
export function useLiveCount(refresh: () => unknown, counts: (event: EventView) => boolean): void {
  const refreshIn = useThrottled(refresh)
  useLive((events) => {
    if (events.length === 0 || events.some(counts)) refreshIn(events.length === 0 ? 0 : everyMs)
  })
}

/** Runs it after the time; while it waits for that, a further call does nothing. */
function useThrottled(run: () => unknown): (ms: number) => void {
  const latest = useRef(run)
  latest.current = run
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useLayoutEffect(() => () => clearTimeout(timer.current), [])
  return (ms) => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      void latest.current()
    }, ms)
  }
}
