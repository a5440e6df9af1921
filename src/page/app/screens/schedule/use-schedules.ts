import type { ReviewFilter } from '../../../../client'
import type { FreezeView, ReviewListItemView } from '../../../../generated'
import { pollMs } from '../../core/api/live'
import { type Loaded, useQuery } from '../../core/api/query'
import { client } from '../../core/api/session'
import type { TimeSpan } from '../../core/tools/moments'
import { type EnvironmentPlace, placeKey } from './lanes'

/** Further pages are not read. */
const maxPages = 5

export const maxSchedules = maxPages * 100

/** The freezes of further environments are not read. */
export const maxPlaces = 50

interface Schedules {
  readonly rows: readonly ReviewListItemView[]
  /** Whether there are more than were read. */
  readonly isPart: boolean
}

export type Filters = Pick<ReviewFilter, 'project' | 'feature'>

/** What is scheduled in the time and, if now is in it, what should have run before and did not. */
export function useSchedules({ from, to }: TimeSpan, filters: Filters, hasNow: boolean): Loaded<Schedules> {
  const [scheduledFrom, scheduledTo] = [from, to].map((moment) => new Date(moment).toISOString())
  return useQuery<Schedules>(
    ['schedules', scheduledFrom, scheduledTo, filters, hasNow],
    async (options) => {
      const found = await Promise.all([
        readAll({ ...filters, scheduledFrom, scheduledTo }, options),
        ...(hasNow ? [readAll({ ...filters, state: 'Scheduled', scheduledTo: scheduledFrom }, options)] : []),
      ])
      return { body: { rows: found.flatMap(({ rows }) => rows), isPart: found.some(({ isPart }) => isPart) } }
    },
    { changedBy: (events) => events.some(({ type }) => type.startsWith('change-request-')), pollMs },
  )
}

async function readAll(filter: ReviewFilter, options: { readonly signal: AbortSignal }): Promise<Schedules> {
  // A change request that moves between two responses is in both.
  const rows = new Map<number, ReviewListItemView>()
  let cursor: string | undefined
  for (let page = 0; page < maxPages; page++) {
    const { body } = await client.reviews({ needs: 'all', limit: 100, ...filter, cursor }, options)
    for (const row of body.reviews) rows.set(row.id, row)
    if (body.next === null) return { rows: [...rows.values()], isPart: false }
    cursor = body.next
  }
  return { rows: [...rows.values()], isPart: true }
}

/** The freezes of the first environments, by {@link placeKey}; none while they are unknown. */
export function useFreezesOf(places: readonly EnvironmentPlace[]): Loaded<ReadonlyMap<string, readonly FreezeView[]>> {
  const asked = places.slice(0, maxPlaces)
  return useQuery<ReadonlyMap<string, readonly FreezeView[]>>(
    ['freezes', asked.map(placeKey)],
    asked.length === 0
      ? undefined
      : async (options) => {
          const answers = await Promise.all(
            asked.map(async (place) => {
              const { body } = await client.freezes(place.project, place.environment, options)
              return [placeKey(place), body.freezes] as const
            }),
          )
          return { body: new Map(answers) }
        },
  )
}
