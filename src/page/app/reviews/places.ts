import type { PlacesView } from '../../../generated'
import { authoring } from '../core/api/authoring'
import { type Loaded, useQuery } from '../core/api/query'

/** Where the viewer can propose changes; with a text, in the projects with it in their names. */
export function usePlaces(text = ''): Loaded<PlacesView> {
  return useQuery(['places', text], (options) => authoring.places({ ...(text !== '' && { query: text }), ...options }))
}

/** Whether the viewer can propose changes in an environment, as far as it is known. */
export function useCanPropose(): (project: string, environment: string) => boolean {
  const { places = [] } = usePlaces().data ?? {}
  return (project, environment) =>
    places.some(
      (one) =>
        one.project === project &&
        one.environments.some((place) => place.name === environment && place.changeRequestsEnabled),
    )
}
