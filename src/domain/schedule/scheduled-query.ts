import { definitionOf } from '../actions/table'
import type { ChangeRequest } from '../change-request'

/** The flags, strategies and variants that a client asks about. */
export interface ScheduledQuery {
  /** Flags, whatever the change. */
  readonly features: readonly string[]
  /** Ids of strategies that a change names. */
  readonly strategyIds: readonly string[]
  /** Flags, of which only changes of the variants count. */
  readonly variantsOf: readonly string[]
}

/** True if a change of the change request touches any of what the query names (contract 3.4). */
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
