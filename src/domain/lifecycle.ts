import { states } from '../generated/lists'

/** The state of a change request; Applied, Cancelled and Rejected are final. */
export type State = (typeof states)[number]

/** The transitions between states. `change` is adding, editing or discarding a change. */
export const transitions = ['change', 'submit', 'approve', 'reject', 'schedule', 'apply', 'cancel'] as const

export type Transition = (typeof transitions)[number]

/** Where a state is in the life of a change request. No step leads out of a closed one. */
export type Phase = 'draft' | 'review' | 'approved' | 'closed'

/**
 * State x transition -> state (contract 6.2); a missing entry is rejected. Only the last required approval changes the
 * state. An Approved or Scheduled change request can be approved only while approvals of the current content are missing
 * (contract 6.3).
 */
const table: Record<State, { readonly phase: Phase; readonly to: Partial<Record<Transition, State>> }> = {
  Draft: { phase: 'draft', to: { change: 'Draft', submit: 'In review', cancel: 'Cancelled' } },
  'In review': {
    phase: 'review',
    to: { change: 'In review', approve: 'Approved', reject: 'Rejected', cancel: 'Cancelled' },
  },
  Approved: {
    phase: 'approved',
    to: { change: 'In review', approve: 'Approved', schedule: 'Scheduled', apply: 'Applied', cancel: 'Cancelled' },
  },
  Scheduled: {
    phase: 'approved',
    to: { approve: 'Scheduled', reject: 'Rejected', schedule: 'Scheduled', apply: 'Applied' },
  },
  Applied: { phase: 'closed', to: {} },
  Cancelled: { phase: 'closed', to: {} },
  Rejected: { phase: 'closed', to: {} },
}

export function phaseOf(state: State): Phase {
  return table[state].phase
}

export const closedStates: readonly State[] = states.filter((state) => isClosed({ state }))

export function isClosed({ state }: { readonly state: State }): boolean {
  return phaseOf(state) === 'closed'
}

export function nextState(state: State, transition: Transition): State | undefined {
  return table[state].to[transition]
}

/** Drafts are visible only to their author (contract 6.3). */
export function isVisible(state: State, authorId: number, viewer: number | null): boolean {
  return state !== 'Draft' || authorId === viewer
}

/** True while changes can be added; an author has at most one open change request per project and environment (3.3). */
export function isOpen(state: State): boolean {
  return nextState(state, 'change') !== undefined
}
