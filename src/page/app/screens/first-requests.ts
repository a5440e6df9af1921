import { earlyClient } from '../core/api/session'
import type { Location } from '../core/places/navigation'
import { anyReviews } from '../reviews/projects'
import { readFilters, toReviewsQuery } from './inbox/filter/filters'
import { firstEvents, hasDays, readFilter, toEventQuery } from './log/search/filter'

/** Sends the first requests of the screen, the same as the screen itself. */
export function firstRequests({ place, query }: Location): readonly Promise<unknown>[] {
  switch (place.screen) {
    case 'inbox':
      return [earlyClient.reviews(toReviewsQuery(readFilters(query)))]
    case 'log': {
      const filter = readFilter(query)
      // The instants of days are computed by the screen.
      return hasDays(filter) ? [] : [earlyClient.searchEvents(toEventQuery(filter), { limit: firstEvents })]
    }
    case 'request':
      return [earlyClient.review(place), earlyClient.timeline(place, null)]
    case 'settings': {
      const project = query.get('project')
      return [earlyClient.reviews(anyReviews), ...(project ? [earlyClient.settings(project)] : [])]
    }
    case 'new':
    case 'unknown':
      return []
  }
}
