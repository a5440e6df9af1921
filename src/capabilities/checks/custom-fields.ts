import { setCustomFields } from '../../domain/decisions/custom-fields'
import { ChangeRequestError } from '../../errors'
import type { WrittenCustomFieldsView } from '../../generated'
import { jsonReply } from '../../http/reply'
import { ifMatch, type Route, route, writeErrors } from '../../http/route'
import { entityTag } from '../../kernel/etag'
import type { HostCustomFields, HostServices } from '../../kernel/host-services'
import { performStep } from '../../kernel/step/perform-step'
import { toCustomFieldsView } from '../../kernel/view/custom-fields'
import { describeOne } from '../../kernel/view/describe'

export const customFieldRoutes: readonly Route[] = [
  route({
    method: 'put',
    path: '/projects/:projectId/change-requests/:id/custom-fields',
    operationId: 'setCustomFields',
    extension: true,
    summary: 'Set the custom fields',
    description:
      'Replaces the values of all custom fields, by the author in a Draft or In review. In review, a changed value removes the ' +
      'approvals, as an edit does. The response is 404 without the option `customFields`.',
    permissions: ['READ_CHANGE_REQUEST'],
    headers: ifMatch,
    body: 'custom-fields-update',
    answer: { status: 200, schema: 'custom-fields', description: 'The custom fields.' },
    errors: writeErrors,
    parse(context, services) {
      const rules = requireCustomFields(services)
      return { ...context.reference(), rules, values: rules.parse(context.body) }
    },
    run: ({ values, rules, ...input }, services) =>
      performStep(services, 'setCustomFields', input, (current, command) =>
        setCustomFields(current, { ...command, values, rules }),
      ),
    async view(stored, services) {
      const described = await describeOne(services, stored, 'write')
      const customFields = toCustomFieldsView(described, requireCustomFields(services))
      return jsonReply({ customFields } satisfies WrittenCustomFieldsView, { ETag: entityTag(stored) })
    },
  }),
]

function requireCustomFields({ customFields }: HostServices): HostCustomFields {
  if (customFields !== undefined) return customFields
  throw new ChangeRequestError('NotFoundError', 'This app has no custom fields.')
}
