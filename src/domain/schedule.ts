import { ChangeRequestError } from '../errors'
import type { Action } from '../generated/index'
import type { ChangeRequest } from './change-request'

/** What a client asks about: whether something scheduled touches any of it. */
export interface ScheduledQuery {
  /** Flags with any change. */
  readonly features: readonly string[]
  /** Strategies with a change of their own. */
  readonly strategyIds: readonly string[]
  /** Flags whose variants change. */
  readonly variantsOf: readonly string[]
}

const strategyActions: readonly Action[] = ['updateStrategy', 'deleteStrategy', 'updateMilestoneStrategy']

/** Whether the change request touches any of what is asked about (contract 3.4). */
export function touches({ changes }: ChangeRequest, { features, strategyIds, variantsOf }: ScheduledQuery): boolean {
  return changes.some(({ action, feature, payload }) => {
    if (feature === null) return false
    if (features.includes(feature)) return true
    if (action === 'patchVariant') return variantsOf.includes(feature)
    return strategyActions.includes(action) && strategyIds.includes(String((payload as { id?: unknown }).id))
  })
}

/** Why nothing becomes Scheduled here, whatever its state. */
export function schedulingUnavailable(): ChangeRequestError {
  const text = 'Scheduling is not available here. Apply the change request once it is time.'
  return new ChangeRequestError('ConflictError', text)
}
