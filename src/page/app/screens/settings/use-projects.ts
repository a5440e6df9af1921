import { client, useLoaded } from '../../core'

/** The names of the projects that have change requests the caller may see; undefined until they are known. */
export function useProjects(): readonly string[] | undefined {
  const { data, error } = useLoaded('projects', async (options) => {
    const { body } = await client.reviews({ needs: 'all', limit: 100 }, options)
    return { body: [...new Set(body.reviews.map(({ project }) => project))].sort() }
  })
  return data ?? (error === undefined ? undefined : [])
}
