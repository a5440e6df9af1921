import { requireStep } from '../../domain/steps/steps'
import { viewWritten } from '../../http/replies'
import { bodilessErrors, ifMatch, type Route, route } from '../../http/route'
import type { Services } from '../../kernel/services'
import { prepareStep } from '../../kernel/step/prepare-step'
import { settleFirst } from '../../kernel/step/settle'
import type { Caller, Reference } from '../../kernel/step/step-input'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'

export function settleOnRequest(services: Services, input: Caller & Reference): Promise<StoredChangeRequest> {
  return prepareStep(services, 'settle', input, (found, { commandFor }) => {
    requireStep('settle', found.changeRequest, commandFor(found).facts, {})
    return settleFirst(services, found)
  })
}

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
