import { client, useLoaded } from '../../../core'

/** How many events there are without any filter; not asked for unless it is wanted. */
export function useWholeCount(isWanted: boolean): { readonly total: number; readonly atLeast: boolean } | undefined {
  const { data } = useLoaded(isWanted ? 'whole-log' : 'no-log', async ({ signal }) => {
    if (!isWanted) return { body: undefined, etag: null }
    const { body, atLeast } = await client.searchEvents({}, { limit: 1 }, { signal })
    return { body: { total: body.total, atLeast }, etag: null }
  })
  return isWanted ? data : undefined
}
