import { viewWritten } from '../../http/replies'
import { idempotentRoute, type Route } from '../../http/route'
import { bodilessErrors, idempotencyKey, ifMatch } from '../../http/route-description'
import { copy } from './copy'

/** The route that proposes the changes of a closed change request again. */
export const copyRoutes: readonly Route[] = [
  idempotentRoute({
    method: 'post',
    path: '/projects/:projectId/change-requests/:id/copy',
    operationId: 'copyChangeRequest',
    extension: true,
    summary: 'Copy a change request',
    description:
      'Proposes the changes of an applied, rejected or cancelled change request again, as a new draft of the caller. The ' +
      'changes are based on the current flags.',
    permissions: ['READ_CHANGE_REQUEST'],
    headers: { ...ifMatch, ...idempotencyKey },
    idempotent: 'changes',
    answer: { status: 200, schema: 'change-request', description: 'The new change request.' },
    errors: [...bodilessErrors, 422],
    parse: (context) => context.reference(),
    run: (reference, services) => copy(services, reference),
    view: viewWritten,
  }),
]
