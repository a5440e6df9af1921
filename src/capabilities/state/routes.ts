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
      'Takes the change request to another state. An approval counts for the changes as they are: any edit voids it. ' +
      'What is scheduled is applied when its time comes; where nothing carries schedules out, that is refused with 409.',
    permissions: ['READ_CHANGE_REQUEST'],
    headers: ifMatch,
    body: 'state-update',
    answer: { status: 200, schema: 'change-request', description: 'The change request in its present state.' },
    errors: [...writeErrors, 428],
    parse: (context) => ({ ...context.reference(), ...parseStateUpdate(context.body) }),
    run: (input, services) => changeState(services, input),
    view: viewWritten,
  }),
]
