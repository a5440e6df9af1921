import { toDay } from '../plot/days'
import type { ShownFilter } from '../search/filter'

/** What of a live event can be compared with a filter here. */
export interface LiveEvent {
  readonly createdAt: string
  readonly type: string
  readonly project?: string | null
  readonly environment?: string | null
  readonly featureName?: string | null
  readonly createdByUserId?: number | null
}

/** Whether an event may match a filter, apart from its days. True where only the server knows. */
export function mayMatch(event: LiveEvent, { values }: ShownFilter): boolean {
  const fits = (wanted: readonly string[] | undefined, value: unknown) =>
    wanted === undefined || wanted.includes(String(value))
  // A request that has a change of a flag is found by it too.
  const isOfRequest = event.type.startsWith('change-')
  return (
    fits(values.project, event.project) &&
    fits(values.environment, event.environment) &&
    fits(values.type, event.type) &&
    (isOfRequest || fits(values.feature, event.featureName)) &&
    fits(values.createdBy, event.createdByUserId)
  )
}

/** Whether an event lies behind the last day of a filter and would fit otherwise, as far as that is known here. */
export function isAfterDays(event: LiveEvent, filter: ShownFilter): boolean {
  const { to, query, values } = filter
  if (to === undefined || toDay(event.createdAt) <= to) return false
  const isKnown = query === undefined && values.groupId === undefined && values.id === undefined
  return isKnown && mayMatch(event, filter)
}
