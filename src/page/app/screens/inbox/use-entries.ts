import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useLive, usePolling } from '../../core/api/live'
import { type Loaded, useQuery } from '../../core/api/query'
import { client } from '../../core/api/session'
import { useStore } from '../../core/tools/store'
import { useSharedCount } from '../../reviews/needs-me'
import { currentWalk, decided, startWalk } from '../../reviews/walk'
import { type Entry, toEntry, withDecided } from './entries'
import { type Filters, isFiltered, toReviewsQuery } from './filter/filters'
import { shownRows } from './list'
import { changedBy, type Found, type PagedList, readPages } from './pages'

export interface Entries {
  readonly loaded: Loaded<Found>
  /** The same for the same filters. */
  readonly key: string
  /** Those that are shown; undefined until they are known. */
  readonly entries: readonly Entry[] | undefined
  /** How many arrived since; they are shown on request. */
  readonly fresh: number
  showFresh(): void
  /** Loads the next ones, where there are any. */
  readonly more: (() => void) | undefined
}

/** The rows for some filters. They are kept up to date; what is new waits, so that nothing moves under the pointer. */
export function useEntries(filters: Filters): Entries {
  const query = toReviewsQuery(filters)
  const key = `inbox ${JSON.stringify(query)}`
  const list = useRef<PagedList & { key?: string }>(emptyList())
  if (list.current.key !== key) list.current = { ...emptyList(), key }
  const loaded = useQuery<Found>(['inbox', query], (options) =>
    readPages(list.current, (cursor) => client.reviews({ ...query, cursor }, options)),
  )
  const refresh = (isChanged: PagedList['changes'][number]) => {
    list.current.changes.push(isChanged)
    void loaded.refresh()
  }
  const refreshShown = () => {
    const shown = shownRows()
    refresh(({ id }) => shown.has(id))
  }
  useLive((events) => (events.length === 0 ? refreshShown() : refresh(changedBy(events))))
  usePolling(refreshShown)
  useSharedCount(isFiltered(filters) || filters.tab === 'applied' ? undefined : loaded.data?.totals)

  const left = currentWalk()
  const isLeft = left?.key === key
  const done = useStore(decided)
  const rows = useMemo(
    () =>
      loaded.data &&
      (isLeft ? withDecided(filters.tab, loaded.data.reviews, left.rows, done) : loaded.data.reviews).map(toEntry),
    [loaded.data, isLeft, done],
  )
  const [entries, acceptAll] = useAccepted(key, rows)
  // A reload, back and forward read as many pages as there were.
  list.current.count = Math.max(list.current.count, history.state?.pages ?? 1)
  const more = useCallback(() => {
    list.current.count++
    history.replaceState({ ...history.state, pages: list.current.count }, '')
    void loaded.refresh().then(acceptAll)
  }, [loaded.refresh, acceptAll])
  return {
    loaded,
    key,
    entries,
    fresh: (rows?.length ?? 0) - (entries?.length ?? 0),
    showFresh() {
      startWalk(undefined)
      acceptAll()
    },
    more: loaded.data?.next == null ? undefined : more,
  }
}

const emptyList = (): PagedList => ({ pages: [], count: 1, changes: [] })

/** The rows that are shown: those of the first response, and those that the user showed since. A list without a row shows all that arrive. */
function useAccepted(key: string, all: readonly Entry[] | undefined) {
  const [state, setState] = useState<{ key: string; ids: ReadonlySet<number> | undefined }>({ key, ids: undefined })
  // The rows that are known then are accepted.
  const acceptAll = useCallback(() => setState({ key, ids: undefined }), [key])
  useLayoutEffect(() => {
    const known = state.key === key ? state.ids : undefined
    if (all === undefined || (known && (all.length === 0 || all.some(({ item }) => known.has(item.id))))) return
    setState({ key, ids: new Set(all.map(({ item }) => item.id)) })
  }, [key, all, state])
  const accepted = state.key === key ? state.ids : undefined
  const shown = useMemo(() => all?.filter(({ item }) => accepted?.has(item.id) ?? true), [all, accepted])
  return [shown, acceptAll] as const
}
