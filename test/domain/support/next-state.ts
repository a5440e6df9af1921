import { type EventEffect, eventEffects, type LifeEventType } from '../../../src/domain/events/effects'
import { allows, type State, type Transition } from '../../../src/domain/lifecycle'

/** The event of each transition; in the state In review, `approve` is the last required approval. */
const eventOf: Readonly<Record<Transition, LifeEventType>> = {
  change: 'change-added',
  submit: 'change-request-sent-to-review',
  approve: 'change-request-approved',
  reject: 'change-request-rejected',
  schedule: 'change-request-scheduled',
  apply: 'change-request-applied',
  cancel: 'change-request-cancelled',
}

/** The state that a transition leads to; undefined if the state does not allow it. */
export function nextState(state: State, transition: Transition): State | undefined {
  if (!allows(state, transition)) return undefined
  const isFurther = transition === 'approve' && state !== 'In review'
  const effect: EventEffect = eventEffects[isFurther ? 'change-request-approval-added' : eventOf[transition]]
  return effect.state[state] ?? undefined
}
