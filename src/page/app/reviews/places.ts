import { useCallback } from 'preact/hooks'
import type { PlacesView } from '../../../generated'
import { type Loaded, queries, useQuery } from '../core/api/query'
import { client } from '../core/api/session'

// Whether the names of flags are links does not change often.
queries.setQueryDefaults(['places'], { staleTime: 60_000 })

/** Where the viewer can propose changes; with a text, in the projects with it in their names. */
export function usePlaces(text = ''): Loaded<PlacesView> {
  return useQuery(['places', text], (options) => client.places({ ...(text !== '' && { query: text }), ...options }))
}

/** Whether the viewer can propose changes in an environment, or anywhere in the project, as far as it is known. */
export function useCanPropose(): (project: string, environment?: string) => boolean {
  const { data } = usePlaces()
  return useCallback(
    (project: string, environment?: string) =>
      data?.places
        .find((one) => one.project === project)
        ?.environments.some(
          ({ name, changeRequestsEnabled }) => changeRequestsEnabled && (environment ?? name) === name,
        ) === true,
    [data],
  )
}
