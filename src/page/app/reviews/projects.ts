import type { EnvironmentSettingsView, EventType } from '../../../generated'
import { type Loaded, useQuery } from '../core/api/query'
import { client } from '../core/api/session'
import { rememberTypes } from '../core/tools/production'

/** The names of the projects that have change requests the caller can see; undefined until they are known. */
export function useProjects(): readonly string[] | undefined {
  const { data, error } = useQuery(['projects'], async (options) => {
    const { body } = await client.reviews({ needs: 'all', limit: 100 }, options)
    return { body: [...new Set(body.reviews.map(({ project }) => project))].sort() }
  })
  return data ?? (error === undefined ? undefined : [])
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
