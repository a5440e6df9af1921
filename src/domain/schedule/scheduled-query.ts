import { definitionOf } from '../actions/table'
import type { ChangeRequest } from '../change-request'

/** The flags, strategies and variants of a query for scheduled change requests. */
export interface ScheduledQuery {
  /** Flags with any change. */
  readonly features: readonly string[]
  /** Ids of strategies that are changed. */
  readonly strategyIds: readonly string[]
  /** Flags whose variants are changed. */
  readonly variantsOf: readonly string[]
}

/** True if a change of the change request has a target of the query (contract 3.4). */
export function touches({ changes }: ChangeRequest, { features, strategyIds, variantsOf }: ScheduledQuery): boolean {
  return changes.some((change) => {
    const { feature, payload } = change
    if (feature === null) return false
    if (features.includes(feature)) return true
    const { target } = definitionOf(change)
    if (target === 'variants') return variantsOf.includes(feature)
    return target === 'strategy' && strategyIds.includes((payload as { readonly id: string }).id)
  })
}
