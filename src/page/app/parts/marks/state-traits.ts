import type { StateName } from '../../../../generated'
import type { IconName } from './icon'

/** How the page shows a state, and what depends on it. */
export interface StateTraits {
  readonly icon: IconName
  /** Its color; by default the one that is named like the icon. */
  readonly tone?: string
  /** How far it has come: 0 before the review, 1 before the approval, 2 approved, 3 closed, where nothing is decided any more. */
  readonly phase: 0 | 1 | 2 | 3
  /** The path shows it only to a change request that is in it. */
  readonly isDetour?: true
}

/** In the order of the path. */
export const stateTraits: Readonly<Record<StateName, StateTraits>> = {
  Draft: { icon: 'draft', phase: 0 },
  'In review': { icon: 'review', phase: 1 },
  Approved: { icon: 'approved', phase: 2 },
  Scheduled: { icon: 'scheduled', phase: 2, isDetour: true },
  Applied: { icon: 'applied', phase: 3 },
  Rejected: { icon: 'rejected', phase: 3 },
  Cancelled: { icon: 'cancelled', phase: 3 },
}

/** Nothing is decided any more. */
export const isClosed = (state: StateName): boolean => stateTraits[state].phase === 3
