import type { ChangeRequest } from '../../domain/change-request'
import { customValues, emptyFields, outdatedFields } from '../../domain/custom-fields/custom-fields'
import type { CustomFieldsView } from '../../generated/index'
import { type People, toPersonView } from '../host/person-views'
import type { HostCustomFields } from '../host-services'

/** The custom fields with their values; null without the option. */
export function toCustomFieldsView(
  described: People & { readonly changeRequest: ChangeRequest },
  fields: HostCustomFields,
): CustomFieldsView {
  const { changeRequest } = described
  const { customFields = [] } = changeRequest
  return {
    schema: fields.schema,
    values: customValues(changeRequest) ?? {},
    missing: [...emptyFields(changeRequest, fields), ...outdatedFields(changeRequest, fields)],
    setBy: Object.fromEntries(
      customFields.map(({ name, by, at }) => [name, { person: toPersonView(by, described), at }]),
    ),
  }
}
