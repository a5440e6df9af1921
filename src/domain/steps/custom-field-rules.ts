import { emptyFields, outdatedFields } from '../custom-fields/custom-fields'
import type { Missing } from './codes'
import { rule } from './rule'

/** Only a Draft is compared with the schema, which may have changed since: a submit is still to come. */
export const hasRequiredFields = rule(['customFields'], (current, { customFields: rules }) => {
  if (rules === undefined || current.state !== 'Draft') return undefined
  return [
    ...emptyFields(current, rules).map((name) => missingField(`The custom field "${name}" is required. Set it first.`)),
    ...outdatedFields(current, rules).map((name) =>
      missingField(`The value of the custom field "${name}" no longer fits. Set the custom fields again.`),
    ),
  ]
})

export const keepsRequiredFields = rule(['emptiedFields'], ({ state }, { emptiedFields }) =>
  state === 'In review'
    ? emptiedFields.map((name) => missingField(`The custom field "${name}" is required, so it must keep a value.`))
    : undefined,
)

function missingField(message: string): Missing {
  return { code: 'missing-custom-fields', message }
}
