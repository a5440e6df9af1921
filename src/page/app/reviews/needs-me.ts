import { useEffect } from 'preact/hooks'
import { type Heard, useLive, usePolling } from '../core/api/live'
import { useLoaded } from '../core/api/load'
import { client } from '../core/api/session'
import { createStore, useStore } from '../core/tools/store'
import { objectOf } from '../words/json'
import { useLoadedLooks } from './second-looks'

/** More are not counted; the number then says `50+`. */
const limit = 50

const counts = createStore<string | undefined>(undefined)

/** How many change requests wait for the caller, as a text; undefined until it is known. */
export const useNeedsMe = (): string | undefined => useStore(counts)

/** Keeps the count and the second looks up to date; the frame does it for all screens. */
export function useFollowedNeeds(): void {
  const { data, refresh } = useLoaded('needs me', (options) => client.reviews({ needs: 'me', limit }, options))
  const looks = useLoadedLooks()
  useLive((events) => {
    if (!concernsReviews(events)) return
    void refresh()
    if (events.length === 0 || events.some(isAboutEmergency)) void looks.refresh()
  })
  usePolling(() => void refresh())
  usePolling(() => void looks.refresh(), 60_000)
  const mine = (looks.data ?? []).filter(({ mayLook }) => mayLook).length
  const count = data && `${data.reviews.length + mine}${data.next === null ? '' : '+'}`
  useEffect(() => counts.set(count), [count])
}

/** Whether a list of change requests may have changed. */
export function concernsReviews(events: Heard): boolean {
  return events.length === 0 || events.some(({ type }) => type.startsWith('change-'))
}

function isAboutEmergency({ data }: Heard[number]): boolean {
  const { emergency, afterReview } = objectOf(data)
  return (emergency ?? afterReview) !== undefined
}
