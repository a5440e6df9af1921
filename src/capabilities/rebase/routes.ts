import { rebase as decideRebase, type Takes } from '../../domain/decisions/rebase'
import type { Rebase } from '../../generated'
import { viewWritten } from '../../http/replies'
import { ifMatch, type Route, route, writeErrors } from '../../http/route'
import { hashOf } from '../../kernel/digest'
import { changeLimitsOf } from '../../kernel/host-services'
import type { Services } from '../../kernel/services'
import { performStep } from '../../kernel/step/perform-step'
import type { Caller, Reference } from '../../kernel/step/step-input'
import type { StoredChangeRequest } from '../../ports/storage/change-requests'
import { checkBody } from '../../validation/check-body'

export function rebase(services: Services, input: Caller & Reference, takes: Takes): Promise<StoredChangeRequest> {
  const limits = changeLimitsOf(services.options.limits)
  const changeIds = ({ changes }: { readonly changes: readonly unknown[] }) => changes.length
  return performStep(services, 'rebase', { ...input, changeIds }, (current, command) =>
    decideRebase(current, { ...command, takes, hash: hashOf, limits, changeIds: command.ids.changes }),
  )
}

export const rebaseRoutes: readonly Route[] = [
  route({
    method: 'post',
    path: '/projects/:projectId/change-requests/:id/rebase',
    operationId: 'rebaseChangeRequest',
    extension: true,
    summary: 'Rebase on the current flags',
    description:
      'Rebases the changes on the current flags. Fields that only one side altered are merged. For fields that both sides ' +
      'altered, the body states which value to keep. This removes all approvals. Only the author can do this.',
    permissions: ['READ_CHANGE_REQUEST'],
    headers: ifMatch,
    body: 'rebase',
    answer: { status: 200, schema: 'change-request', description: 'The rebased change request.' },
    errors: writeErrors,
    parse(context) {
      const { take = null, changes = [] } = checkBody<Rebase>('rebase', context.body)
      // If a change is named twice, the last one counts.
      const named = new Map(changes.map((change) => [change.id, change.take]))
      return { reference: context.reference(), takes: { others: take, named } }
    },
    run: ({ reference, takes }, services) => rebase(services, reference, takes),
    view: viewWritten,
  }),
]
