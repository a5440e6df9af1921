import { states } from '../generated/lists'

/** The state of a change request; Applied, Cancelled and Rejected are final. */
export type State = (typeof states)[number]

/** The transitions between states. `change` is adding, editing or discarding a change. */
export const transitions = ['change', 'submit', 'approve', 'reject', 'schedule', 'apply', 'cancel'] as const

export type Transition = (typeof transitions)[number]

/** Where a state is in the life of a change request. No step leads out of a closed one. */
export type Phase = 'draft' | 'review' | 'approved' | 'closed'

/**
 * The transitions that each state allows (contract 6.2); {@link eventEffects} has the states that they lead to. An Approved or
 * Scheduled change request can be approved only while approvals of the current content are missing (contract 6.3). A rebase
 * and an emergency have their own rules.
 */
const table: Record<State, { readonly phase: Phase; readonly allows: readonly Transition[] }> = {
  Draft: { phase: 'draft', allows: ['change', 'submit', 'cancel'] },
  'In review': { phase: 'review', allows: ['change', 'approve', 'reject', 'cancel'] },
  Approved: { phase: 'approved', allows: ['change', 'approve', 'schedule', 'apply', 'cancel'] },
  Scheduled: { phase: 'approved', allows: ['approve', 'reject', 'schedule', 'apply'] },
  Applied: { phase: 'closed', allows: [] },
  Cancelled: { phase: 'closed', allows: [] },
  Rejected: { phase: 'closed', allows: [] },
}

export function phaseOf(state: State): Phase {
  return table[state].phase
}

export const closedStates: readonly State[] = states.filter((state) => isClosed({ state }))

export function isClosed({ state }: { readonly state: State }): boolean {
  return phaseOf(state) === 'closed'
}

/** From the review on, until it is closed. */
export function isDecidable({ state }: { readonly state: State }): boolean {
  return phaseOf(state) === 'review' || phaseOf(state) === 'approved'
}

export function allows(state: State, transition: Transition): boolean {
  return table[state].allows.includes(transition)
}

/** Drafts are visible only to their author (contract 6.3). */
export function isVisible(state: State, authorId: number, viewer: number | null): boolean {
  return state !== 'Draft' || authorId === viewer
}

/** True while changes can be added; an author has at most one open change request per project and environment (3.3). */
export function isOpen(state: State): boolean {
  return allows(state, 'change')
}
