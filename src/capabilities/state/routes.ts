import type { StateUpdate } from '../../generated'
import { states } from '../../generated/lists'
import { viewWritten } from '../../http/replies'
import { ifMatch, type Route, route, writeErrors } from '../../http/route'
import type { Caller, Reference } from '../../kernel/step/step-input'
import { checkBody, maxCommentLength, parseScheduleTime, trimText } from '../../validation/check-body'
import { badData, notAmong } from '../../validation/core/problems'
import { changeState, type StateChange } from './change-state'

/** Does not check whether the time of a schedule has passed. @throws BadDataError with the first problem */
export function parseStateUpdate(body: unknown): Omit<StateChange, keyof (Caller & Reference)> {
  const { state } = ownProperties(body)
  if (state !== undefined && !(states as readonly unknown[]).includes(state)) {
    throw badData([notAmong(states, state, ['body', 'state'])])
  }
  const update = checkBody<StateUpdate>(state === 'Scheduled' ? 'stateUpdateScheduled' : 'stateUpdateUnscheduled', body)
  const { comment = '', digest = null } = update
  const emergency = update.state === 'Scheduled' ? undefined : update.emergency
  if (emergency !== undefined && update.state !== 'Applied') throw badData([notForThisState])
  return {
    state: update.state,
    comment: comment.trim() === '' ? null : trimText(comment, 'comment', maxCommentLength),
    ...(update.state === 'Scheduled' ? parseScheduleTime(update) : { scheduledAt: null }),
    digest,
    reason: emergency === undefined ? null : trimText(emergency.reason, 'emergency/reason', 1_000, 10),
  }
}

const notForThisState = { path: '/body/emergency', message: 'is only for the state Applied' }

function ownProperties(body: unknown): { readonly state?: unknown } {
  return typeof body === 'object' ? { ...body } : {}
}

export const stateRoutes: readonly Route[] = [
  route({
    method: 'put',
    path: '/projects/:projectId/change-requests/:id/state',
    operationId: 'changeState',
    summary: 'Submit, approve, reject, cancel, schedule or apply',
    description:
      'Sets the state of the change request. An approval counts for the current changes only: an edit removes it. A ' +
      'schedule is applied when it is due. If no process applies schedules, the response is 409.',
    permissions: ['READ_CHANGE_REQUEST'],
    headers: ifMatch,
    body: 'state-update',
    answer: { status: 200, schema: 'change-request', description: 'The change request in its new state.' },
    errors: [...writeErrors, 428],
    parse: (context) => ({ ...context.reference(), ...parseStateUpdate(context.body) }),
    run: (input, services) => changeState(services, input),
    view: viewWritten,
  }),
]
