import { hashKey, notifyManager, QueryClient, type QueryKey, QueryObserver, skipToken } from '@tanstack/query-core'
import { useCallback, useLayoutEffect, useState } from 'preact/hooks'
import { type ReceivedEvents, useLive, usePolling } from './live'
import { type Failure, retry } from './retry'
import { currentUser, followSession } from './session'

export interface Loaded<T> {
  readonly data: T | undefined
  /** Why there is nothing new; what was loaded before stays. */
  readonly error: Failure | undefined
  readonly loading: boolean
  /** Loads again now. Resolves with the data, or with undefined if loading failed or the screen was left. */
  refresh(): Promise<T | undefined>
}

interface QueryOptions {
  /** Whether events of the stream may change the data. Without it, they are ignored. */
  readonly changedBy?: (events: ReceivedEvents) => boolean
  readonly pollMs?: number
}

/** Server state: one cache for all screens. What no screen shows is dropped after 5 minutes. */
export const queries = new QueryClient({
  defaultOptions: { queries: { networkMode: 'always', retry: false, refetchOnWindowFocus: false } },
})
notifyManager.setScheduler(queueMicrotask)

/** Loads what `queryKey` names, and keeps it up to date. Parts with the same key share data and requests; no `load`, no request. */
export function useQuery<T>(
  queryKey: QueryKey,
  load: ((options: { readonly signal: AbortSignal }) => Promise<{ readonly body: T }>) | undefined,
  { changedBy, pollMs }: QueryOptions = {},
): Loaded<T> {
  const queryFn = async ({ signal }: { readonly signal: AbortSignal }) => {
    const send = load as NonNullable<typeof load>
    return (await retry(send, signal, (failure) => findQuery(queryKey)?.setState({ fetchFailureReason: failure }))).body
  }
  const options = queries.defaultQueryOptions<T, Failure>({ queryKey, queryFn: load ? queryFn : skipToken })
  const [observer] = useState(() => new QueryObserver(queries, options))
  const [, render] = useState({})
  useLayoutEffect(() => observer.setOptions(options))
  useLayoutEffect(() => observer.subscribe(() => render({})), [observer])
  const refresh = useCallback(() => refreshQuery<T>(queryKey), [hashKey(queryKey)])
  useLive((events) => {
    if (changedBy && (events.length === 0 || changedBy(events))) void refresh()
  })
  usePolling(refresh, pollMs ?? null)
  const { data, error, failureReason, isFetching } = observer.getOptimisticResult(options)
  return { data, error: failureReason ?? error ?? undefined, loading: isFetching && !isWaiting(failureReason), refresh }
}

const findQuery = <T>(queryKey: QueryKey) => queries.getQueryCache().find<T, Failure>({ queryKey })

const isWaiting = (failure: Failure | null) => (failure?.retryAt ?? 0) > Date.now()

const upcoming = new Map<string, Promise<unknown>>()

async function refreshQuery<T>(queryKey: QueryKey): Promise<T | undefined> {
  const query = findQuery<T>(queryKey)
  if (!query?.isActive()) return undefined
  const { error, fetchFailureReason, fetchStatus } = query.state
  if (fetchStatus === 'idle' || isWaiting(fetchFailureReason)) {
    void query.cancel({ silent: true })
    const loaded = query.fetch()
    // Shown until the response is there.
    if (error) query.setState({ fetchFailureReason: error })
    return loaded.catch(() => undefined)
  }
  // The response may be older than what the caller knows of: load once more after it, for all callers.
  const { queryHash } = query
  const next = upcoming.get(queryHash) ?? query.fetch().then(again, again)
  function again() {
    upcoming.delete(queryHash)
    return refreshQuery<T>(queryKey)
  }
  upcoming.set(queryHash, next)
  return next as Promise<T | undefined>
}

// Another user may lack the permission to see it.
let userId = currentUser()
followSession(({ status, me }) => {
  if (status !== 'unknown' && me?.id !== userId) queries.clear()
  userId = me?.id
  if (status === 'in')
    for (const { queryKey } of queries.getQueryCache().findAll({ type: 'active' })) void refreshQuery(queryKey)
})
