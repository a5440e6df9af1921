import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { useLogResets } from '../../../core/api/live'
import { client, followSession, useMe } from '../../../core/api/session'
import { currentLocation } from '../../../core/places/navigation'
import { useStore } from '../../../core/tools/store'
import { type ShownFilter, toAddressQuery } from '../search/filter'
import type { LogPages } from './log-pages'
import { createLogStore, type LogState, type LogStore } from './log-store'

export interface ShownLog {
  readonly log: LogStore
  readonly state: LogState
  /** What is shown is of the filter before, until the first page is there. */
  readonly isStale: boolean
}

/** The lists that were left last, by their filter: going back shows them as they were. */
const left = new Map<string, LogPages>()
const maxLeft = 5

function keep(key: string, pages: LogPages | undefined): void {
  left.delete(key)
  if (pages !== undefined) left.set(key, pages)
  const [oldest] = left.keys()
  if (left.size > maxLeft && oldest !== undefined) left.delete(oldest)
}

/** The log for a filter: requested immediately, again for another filter, and after signing in. */
export function useLog(filter: ShownFilter): ShownLog {
  const { id } = useMe()
  // A log that lost events is another log: no list of the old one is shown again.
  const key = JSON.stringify([id, useLogResets(), toAddressQuery(filter)])
  const log = useMemo(() => {
    const known = currentLocation().by === 'history' ? left.get(key) : undefined
    return createLogStore(client.searchEvents, filter, known)
  }, [key])
  useLayoutEffect(() => {
    const unfollow = followSession((session) => session.status === 'in' && void log.refresh())
    return () => {
      unfollow()
      keep(key, log.get().pages)
      log.close()
    }
  }, [log])
  const known = useStore(log)
  const last = useRef(known.pages)
  if (known.pages !== undefined) last.current = known.pages
  const isStale = known.pages === undefined && known.error === undefined && last.current !== undefined
  return { log, state: isStale ? { ...known, pages: last.current } : known, isStale }
}
