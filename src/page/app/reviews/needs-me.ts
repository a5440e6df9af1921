import { useEffect } from 'preact/hooks'
import type { InboxTotalsView, InboxTotalView } from '../../../generated'
import { pollMs } from '../core/api/live'
import { useQuery } from '../core/api/query'
import { client, followSession } from '../core/api/session'
import { setTitleCount } from '../core/places/title'
import { createStore, useStore } from '../core/tools/store'
import { count } from '../words/numbers'

const counts = createStore<string | undefined>(undefined)

// It is also in the title of the tab while the user is signed in.
followSession(({ status, me }) => {
  if (me === undefined) counts.set(undefined)
  setTitleCount(status === 'in' ? counts.get() : undefined)
})
counts.follow(setTitleCount)

/** How many change requests need the caller, as a text; undefined until it is known. */
export const useNeedsMe = (): string | undefined => useStore(counts)

/** Keeps the count up to date, on screens that do not know it. */
export function FollowedNeeds() {
  const { data } = useQuery(['needs me'], (options) => client.reviews({ needs: 'me', limit: 1 }, options), {
    // The other events may be many. What flags add to the count comes with the next poll.
    changedBy: (events) => events.some(({ type }) => type.startsWith('change-')),
    pollMs,
  })
  useSharedCount(data?.totals)
  return null
}

/** What needs the caller: what stored facts list, and their own ones with a conflict or an overwrite. */
export function totalOfMe({ me, toFix }: InboxTotalsView): InboxTotalView {
  return me.atLeast ? me : { ...me, count: me.count + (toFix?.count ?? 0) }
}

/** `1,000+` */
export const totalWords = (total: InboxTotalView): string => `${count(total.count)}${total.atLeast ? '+' : ''}`

/** Shows what needs the caller everywhere, once it is known. */
export function useSharedCount(totals: InboxTotalsView | null | undefined): void {
  const text = totals ? totalWords(totalOfMe(totals)) : undefined
  useEffect(() => {
    if (text !== undefined) counts.set(text)
  }, [text])
}
