import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { ReviewListItemView } from '../../../../generated'
import { useLive, usePolling } from '../../core/api/live'
import { type Loaded, useLoaded } from '../../core/api/load'
import { client } from '../../core/api/session'
import { concernsReviews } from '../../reviews/needs-me'
import { useSecondLooks } from '../../reviews/second-looks'
import { type Entry, matches, toEntry, toLookEntry } from './entries'
import type { Filters } from './filter/filters'

export interface Entries {
  readonly loaded: Loaded<Found>
  /** Those that are shown; undefined until they are known. */
  readonly entries: readonly Entry[] | undefined
  /** How many came since; they wait until they are asked for. */
  readonly fresh: number
  showFresh(): void
  /** Loads older ones, where there are any. */
  readonly more: (() => void) | undefined
}

interface Found {
  readonly reviews: readonly ReviewListItemView[]
  readonly next: string | null
}

const pageSize = 100

/** The rows for some filters. They are kept up to date; what is new waits, so that nothing moves under the pointer. */
export function useEntries(filters: Filters): Entries {
  const { tab, ...rest } = filters
  const key = `inbox ${JSON.stringify([tab, rest])}`
  const pages = useRef({ key, count: 1 })
  if (pages.current.key !== key) pages.current = { key, count: 1 }
  const loaded = useLoaded<Found>(key, (options) => findPages({ needs: tab, ...rest }, pages.current.count, options))
  const looks = useSecondLooks()
  useLive((events) => concernsReviews(events) && void loaded.refresh())
  usePolling(() => void loaded.refresh())

  const rows = useMemo(() => {
    if (loaded.data === undefined) return undefined
    const seconds = new Map((looks.data ?? []).map((look) => [look.item.id, look]))
    const found = loaded.data.reviews.map((item) => toEntry(item, seconds.get(item.id)))
    const mine = tab === 'me' ? [...seconds.values()].filter(({ mayLook }) => mayLook) : []
    return { found, mine: mine.map(toLookEntry).filter((one) => matches(one, filters)) }
  }, [loaded.data, looks.data, key])
  const [found, acceptFound] = useAccepted(key, rows?.found)
  // They come with another answer, which may be the later one.
  const areKnown = tab !== 'me' || looks.data !== undefined || looks.error !== undefined
  const [mine, acceptMine] = useAccepted(key, areKnown ? rows?.mine : undefined)
  const acceptAll = useCallback(() => {
    acceptFound()
    acceptMine()
  }, [acceptFound, acceptMine])
  const more = useCallback(() => {
    pages.current.count++
    void loaded.refresh().then(acceptAll)
  }, [loaded.refresh, acceptAll])
  const entries = useMemo(() => found && [...found, ...(mine ?? [])], [found, mine])
  return {
    loaded,
    entries,
    fresh: entries === undefined || rows === undefined ? 0 : rows.found.length + rows.mine.length - entries.length,
    showFresh: acceptAll,
    more: loaded.data?.next == null ? undefined : more,
  }
}

/** The rows that are shown: those of the first answer, and what was asked for since. */
function useAccepted(key: string, all: readonly Entry[] | undefined) {
  const [state, setState] = useState<{ key: string; ids: ReadonlySet<number> | undefined }>({ key, ids: undefined })
  // What is known then is accepted as it is.
  const acceptAll = useCallback(() => setState({ key, ids: undefined }), [key])
  useLayoutEffect(() => {
    if (all === undefined || (state.key === key && state.ids !== undefined)) return
    setState({ key, ids: new Set(all.map(({ item }) => item.id)) })
  }, [key, all, state])
  const accepted = state.key === key ? state.ids : undefined
  const shown = useMemo(() => all?.filter(({ item }) => accepted?.has(item.id) ?? true), [all, accepted])
  return [shown, acceptAll] as const
}

async function findPages(
  filter: Parameters<typeof client.reviews>[0],
  count: number,
  options: { signal: AbortSignal },
) {
  const reviews: ReviewListItemView[] = []
  let cursor: string | undefined
  for (let page = 0; page < count; page++) {
    const { body } = await client.reviews({ ...filter, cursor, limit: pageSize }, options)
    reviews.push(...body.reviews)
    if (body.next === null) return { body: { reviews, next: null } }
    cursor = body.next
  }
  return { body: { reviews, next: cursor ?? null } }
}
