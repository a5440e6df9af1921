import { useMemo } from 'preact/hooks'
import { client, useLoaded } from '../../../core'
import type { Names } from './filter-words'

/** Who has written events, by the number of the user. */
export function useCreators(): Names {
  const { data } = useLoaded('event-creators', ({ signal }) => client.eventCreators({ signal }))
  return useMemo(() => new Map((data ?? []).map(({ id, name }) => [id, name])), [data])
}
