import { client } from '../../core/api/session'
import { digestOf } from './review'
import type { Actions } from './use-request'
import { type StepAction, useStep } from './use-step'

/** Applies without the approvals. */
export function useEmergency(actions: Actions, reason: string, onDone?: () => void): StepAction {
  const { request, review } = actions.shown
  return useStep(actions, {
    run: (write) => {
      const emergency = { reason: reason.trim() }
      return client.setState(request, { state: 'Applied', ...digestOf(review), emergency }, write)
    },
    doneMessage: 'It is applied.',
    isDone: (latest) => latest.review.state === 'Applied',
    ...(onDone && { onDone }),
  })
}
