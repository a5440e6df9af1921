import { viewWritten } from '../../http/replies'
import { type Route, route } from '../../http/route'
import { ifMatch, writeErrors } from '../../http/route-description'
import { parseStateUpdate } from './body'
import { changeState } from './change-state'

/** The route for all steps of the lifecycle. */
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
