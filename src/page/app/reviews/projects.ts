import { useLoaded } from '../core/api/load'
import { client } from '../core/api/session'

/** Enough to know the projects. */
export const anyReviews = { needs: 'all', limit: 100 } as const

/** The names of the projects that have change requests the caller can see; undefined until they are known. */
export function useProjects(): readonly string[] | undefined {
  const { data, error } = useLoaded('projects', async (options) => {
    const { body } = await client.reviews(anyReviews, options)
    return { body: [...new Set(body.reviews.map(({ project }) => project))].sort() }
  })
  return data ?? (error === undefined ? undefined : [])
}
