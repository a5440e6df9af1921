import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { useLogResets } from '../../../core/api/live'
import { type Failure, retry } from '../../../core/api/retry'
import { client, followSession, useMe } from '../../../core/api/session'
import { currentLocation } from '../../../core/places/navigation'
import { createStore, type Store, useStore } from '../../../core/tools/store'
import { type ShownFilter, toAddressQuery } from '../search/filter'
import { toTimedQuery } from '../search/zone'
import {
  type FreshEvents,
  joinFresh,
  type LogPages,
  loadAbove,
  loadFresh,
  loadPage,
  noFresh,
  type SearchEvents,
  withFresh,
  withinBounds,
} from './log-pages'

export interface LogState {
  readonly pages: LogPages | undefined
  readonly fresh: FreshEvents
  readonly loading: 'first' | 'more' | 'above' | undefined
  readonly error: Failure | undefined
}

/** The log for one filter, page after page. */
export interface LogStore extends Store<LogState> {
  /** Loads the page below; nothing while one is loaded, or at the end. */
  more(): void
  /** Loads the page above again, where it was dropped; from the top if the user is there. */
  above(fromTop: boolean): void
  /** Asks again now: for what failed, else for everything from the top. */
  refresh(): Promise<undefined>
  /** Looks for newer events; they wait in `fresh`. */
  check(): Promise<void>
  /** Puts the new events on top of the list. */
  showFresh(): void
  close(): void
}

const begin: LogState = { pages: undefined, fresh: noFresh, loading: undefined, error: undefined }

/** If pages are known already, only newer events are requested. */
export function createLogStore(search: SearchEvents, filter: ShownFilter, known?: LogPages): LogStore {
  const store = createStore({ ...begin, pages: known })
  const closed = new AbortController()
  const wanted = toTimedQuery(filter)
  let run = new AbortController()
  const set = (change: Partial<LogState>) => closed.signal.aborted || store.set({ ...store.get(), ...change })

  const load = async (kind: NonNullable<LogState['loading']>) => {
    run.abort()
    run = new AbortController()
    const signal = AbortSignal.any([run.signal, closed.signal])
    const known = kind === 'first' ? undefined : store.get().pages
    const isAbove = kind === 'above' && known !== undefined
    set({ loading: kind })
    try {
      const pages = await retry(
        (options) => (isAbove ? loadAbove : loadPage)(search, wanted, known as LogPages, options.signal),
        signal,
        (error) => set({ error, loading: undefined }),
      )
      if (signal.aborted) return
      // New events may have come on top while the page was loaded.
      const fresh = known === undefined || known.above > 0 ? noFresh.events : (store.get().pages?.events ?? [])
      const joined = { ...withFresh(pages, { events: fresh, isCut: false }), total: pages.total }
      set({
        pages: withinBounds(joined, isAbove ? 'oldest' : 'newest'),
        loading: undefined,
        error: undefined,
        ...(kind === 'first' && { fresh: noFresh }),
      })
    } catch (error) {
      if (!signal.aborted) set({ error: error as Failure, loading: undefined })
    }
  }
  const check = checker(
    store,
    (newest) => loadFresh(search, wanted, newest, closed.signal),
    () => load('first'),
    set,
  )
  void (known === undefined ? load('first') : check())
  return {
    ...store,
    check,
    more() {
      const { loading, error, pages } = store.get()
      if (loading === undefined && error === undefined && pages !== undefined && pages.next !== null) void load('more')
    },
    above(fromTop) {
      const { loading, error, pages } = store.get()
      if (loading === undefined && error === undefined && pages?.above) void load(fromTop ? 'first' : 'above')
    },
    async refresh() {
      await load(store.get().error !== undefined && store.get().pages !== undefined ? 'more' : 'first')
      return undefined
    },
    showFresh() {
      const { pages, fresh } = store.get()
      if (pages === undefined || fresh.isCut || pages.above > 0) return void load('first')
      set({ pages: withFresh(pages, fresh), fresh: noFresh })
    },
    close: () => closed.abort(),
  }
}

/** One check at a time: requests meanwhile become one more check. */
function checker(
  store: Store<LogState>,
  load: (newest: number) => Promise<FreshEvents>,
  reload: () => Promise<unknown>,
  set: (change: Partial<LogState>) => unknown,
): () => Promise<void> {
  let running: Promise<void> | undefined
  let again = false
  const once = async () => {
    const { pages, fresh } = store.get()
    if (pages === undefined || fresh.isCut) return
    const newest = fresh.events[0]?.id ?? pages.newest
    if (newest === undefined) return void (await reload())
    try {
      const found = await load(newest)
      const { fresh, pages } = store.get()
      const joined = joinFresh(fresh, found, pages?.newest)
      if (joined !== fresh) set({ fresh: joined })
    } catch {
      // The next event, or the next poll, looks again; what is shown stays correct.
    }
  }
  const run = async () => {
    while (again) {
      again = false
      await once()
    }
    running = undefined
  }
  return () => {
    again = true
    running ??= run()
    return running
  }
}

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
