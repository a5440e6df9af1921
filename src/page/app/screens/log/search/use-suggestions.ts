import { useMemo } from 'preact/hooks'
import type { EventView } from '../../../../../generated'
import type { Suggestions } from './filter-form'

/** Enough to choose from; more are typed faster than found. */
const most = 50

/** Values that occur among the events at hand. */
export function useSuggestions(events: readonly EventView[] | undefined): Suggestions {
  return useMemo(() => {
    const newest = (events ?? []).slice(0, 1_000)
    const distinct = (values: (string | null | undefined)[]) =>
      [...new Set(values.filter((value): value is string => value != null && value !== ''))].sort().slice(0, most)
    return {
      project: distinct(newest.map(({ project }) => project)),
      environment: distinct(newest.map(({ environment }) => environment)),
      feature: distinct(newest.map(({ featureName }) => featureName)),
    }
  }, [events])
}
