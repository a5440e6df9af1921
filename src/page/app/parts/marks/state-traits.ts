import type { StateName } from '../../../../generated'
import type { IconName } from './icon'

/** How the page shows a state, and what depends on it. */
export interface StateTraits {
  readonly tone: string
  readonly icon: IconName
  /** Nothing is decided any more in a closed one. */
  readonly phase: 'draft' | 'review' | 'approved' | 'closed'
  /** Whether the path shows it before it is reached. */
  readonly isAhead: boolean
  readonly takesChanges: boolean
  /** In the byline, before how long it has lasted; null for a state that has a line of its own. */
  readonly since: string | null
}

/** In the order of the path. */
export const stateTraits: Readonly<Record<StateName, StateTraits>> = {
  Draft: { tone: 'draft', icon: 'draft', phase: 'draft', isAhead: true, takesChanges: true, since: 'a draft' },
  'In review': {
    tone: 'review',
    icon: 'review',
    phase: 'review',
    isAhead: true,
    takesChanges: true,
    since: 'in review',
  },
  Approved: {
    tone: 'approved',
    icon: 'approved',
    phase: 'approved',
    isAhead: true,
    takesChanges: true,
    since: 'approved',
  },
  Scheduled: {
    tone: 'scheduled',
    icon: 'scheduled',
    phase: 'approved',
    isAhead: false,
    takesChanges: false,
    since: null,
  },
  Applied: { tone: 'applied', icon: 'applied', phase: 'closed', isAhead: true, takesChanges: false, since: null },
  Rejected: { tone: 'rejected', icon: 'rejected', phase: 'closed', isAhead: false, takesChanges: false, since: null },
  Cancelled: {
    tone: 'cancelled',
    icon: 'cancelled',
    phase: 'closed',
    isAhead: false,
    takesChanges: false,
    since: null,
  },
}

/** Nothing is decided any more. */
export const isClosed = (state: StateName): boolean => stateTraits[state].phase === 'closed'
