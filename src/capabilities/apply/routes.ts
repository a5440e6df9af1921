import { viewWritten } from '../../http/replies'
import { type Route, route } from '../../http/route'
import { bodilessErrors, ifMatch } from '../../http/route-description'
import { settleOnRequest } from './settle-on-request'

/** Routes about applying. */
export const applyRoutes: readonly Route[] = [
  route({
    method: 'post',
    path: '/projects/:projectId/change-requests/:id/settlement',
    operationId: 'settleApply',
    extension: true,
    summary: 'Settle an interrupted apply',
    description:
      'Checks with the flag gateway whether an interrupted apply succeeded, and stores the result. Afterwards the change ' +
      'request is Applied, or can be applied again.',
    permissions: ['READ_CHANGE_REQUEST'],
    headers: ifMatch,
    answer: { status: 200, schema: 'change-request', description: 'The change request after the settlement.' },
    errors: bodilessErrors,
    parse: (context) => context.reference(),
    run: (reference, services) => settleOnRequest(services, reference),
    view: viewWritten,
  }),
]
