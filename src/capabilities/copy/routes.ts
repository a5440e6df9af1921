import { reviewersOfCopy } from '../../domain/content/objections'
import { copyTitle } from '../../domain/content/title'
import { copiedFields } from '../../domain/custom-fields/custom-fields'
import { createChangeRequest } from '../../domain/decisions/changes'
import { requireStep } from '../../domain/steps/steps'
import { viewWritten } from '../../http/replies'
import { bodilessErrors, idempotencyKey, idempotentRoute, ifMatch, type Route } from '../../http/route'
import { hashOf } from '../../kernel/digest'
import { changeLimitsOf } from '../../kernel/host-services'
import type { Services } from '../../kernel/services'
import { performStep } from '../../kernel/step/perform-step'
import { type Caller, findVisible, type Reference } from '../../kernel/step/step-input'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'

export async function copy(services: Services, input: Caller & Reference): Promise<StoredChangeRequest> {
  const found = await findVisible(services, input, input.actor)
  const { project, environment } = found.changeRequest
  const place = { project, environment }
  const limits = changeLimitsOf(services.options.limits)
  const changeIds = ({ changes }: { readonly changes: readonly unknown[] }) => changes.length
  const copying = { ...input, found, createsIn: place, changeIds }
  return performStep(services, 'copy', copying, (current, { by: { author }, now, facts, ids }) => {
    requireStep('copy', current, facts, {})
    const { flags, gatedMinimum } = facts.copyOrigin
    const customFields = copiedFields(current, facts.customFields, { by: author.person, at: now })
    const requestedApprovers = reviewersOfCopy(current, author.person)
    const fresh = {
      ...{ ...place, id: ids.changeRequest, title: copyTitle(current), copies: current.id, requestedApprovers },
      ...customFields,
    }
    const command = {
      facts: { ...facts, proposal: { rejected: undefined, invalid: [], flags }, gatedMinimum },
      changes: current.changes,
      changeIds: ids.changes,
      ...{ author, now, limits, hash: hashOf },
    }
    return createChangeRequest(fresh, command, { copies: current.id })
  })
}

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
