import { phaseOf } from '../../../../domain/lifecycle'
import type { StateName } from '../../../../generated'
import type { IconName } from './icon'

/** How the page shows a state. */
export interface StateTraits {
  readonly icon: IconName
  /** Its color; by default the one that is named like the icon. */
  readonly tone?: string
  /** The path shows it only to a change request that is in it. */
  readonly isDetour?: true
}

/** In the order of the path. */
export const stateTraits: Readonly<Record<StateName, StateTraits>> = {
  Draft: { icon: 'draft' },
  'In review': { icon: 'review' },
  Approved: { icon: 'approved' },
  Scheduled: { icon: 'scheduled', isDetour: true },
  Applied: { icon: 'applied' },
  Rejected: { icon: 'rejected' },
  Cancelled: { icon: 'cancelled' },
}

/** Nothing is decided any more. */
export const isClosed = (state: StateName): boolean => phaseOf(state) === 'closed'

/** States as people see them: a schedule that waits or will not run, and an emergency, are states of their own. */
export type ShownState =
  | StateName
  | 'Schedule held'
  | 'Schedule suspended'
  | 'Schedule failed'
  | 'Needs acknowledgement'

interface ScheduleState {
  readonly schedule?: { readonly status: string } | null | undefined
  /** The freeze that delays it. */
  readonly held?: string | undefined
  readonly afterReview?: boolean
}

/** Which state a change request shows. */
export function shownState(state: StateName, { schedule, held, afterReview = false }: ScheduleState = {}): ShownState {
  if (state === 'Scheduled' && schedule?.status === 'suspended') return 'Schedule suspended'
  if (state === 'Scheduled' && schedule?.status === 'failed') return 'Schedule failed'
  if (state === 'Scheduled' && held !== undefined) return 'Schedule held'
  return state === 'Applied' && afterReview ? 'Needs acknowledgement' : state
}
