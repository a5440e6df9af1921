import { useEffect } from 'preact/hooks'
import type { InboxTotalView } from '../../../generated'
import { useLive, usePolling } from '../core/api/live'
import { useLoaded } from '../core/api/load'
import { client } from '../core/api/session'
import { createStore, useStore } from '../core/tools/store'

const counts = createStore<string | undefined>(undefined)

/** How many change requests need the caller, as a text; undefined until it is known. */
export const useNeedsMe = (): string | undefined => useStore(counts)

/** Keeps the count up to date, on screens that do not know it. */
export function FollowedNeeds() {
  const { data, refresh } = useLoaded('needs me', (options) => client.reviews({ needs: 'me', limit: 1 }, options))
  // Only what happens to change requests changes the count.
  useLive((events) => {
    if (events.length === 0 || events.some(({ type }) => type.startsWith('change-'))) void refresh()
  })
  usePolling(() => void refresh())
  useSharedCount(data?.totals?.me)
  return null
}

/** Shows this count everywhere, once it is known. */
export function useSharedCount(total: InboxTotalView | undefined): void {
  const text = total && `${total.count}${total.atLeast ? '+' : ''}`
  useEffect(() => {
    if (text !== undefined) counts.set(text)
  }, [text])
}
