import type { EnvironmentSettingsView, EventType } from '../../../generated'
import { type Loaded, useQuery } from '../core/api/query'
import { client } from '../core/api/session'
import { rememberTypes } from '../core/tools/production'
import { usePlaces } from './places'

/** The names of the projects where the caller can propose changes or sees change requests; undefined until they are known. */
export function useProjects(): readonly string[] | undefined {
  const places = usePlaces()
  const seen = useQuery(['projects'], (options) => client.reviews({ needs: 'all', limit: 100 }, options))
  if ([places, seen].some(({ data, error }) => data === undefined && error === undefined)) return undefined
  const all = [...(places.data?.places ?? []), ...(seen.data?.reviews ?? [])]
  return [...new Set(all.map(({ project }) => project))].sort()
}

const settingsChanged: EventType = 'change-request-configuration-updated'

/** The environments of a project. */
export function useSettings(project: string): Loaded<EnvironmentSettingsView[]> {
  const load = async (options: { readonly signal: AbortSignal }) => {
    const answer = await client.settings(project, options)
    rememberTypes(answer.body)
    return answer
  }
  return useQuery(['settings', project], project === '' ? undefined : load, {
    changedBy: (events) => events.some((event) => event.type === settingsChanged && event.project === project),
  })
}
