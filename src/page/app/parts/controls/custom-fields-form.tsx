import type { CustomFieldsSchemaView } from '../../../../generated'
import { fieldLabel } from '../../words/custom-fields'
import type { Typed } from '../../words/typed-fields'
import { Field } from './field'

interface CustomFieldsFormProps {
  readonly schema: CustomFieldsSchemaView
  readonly typed: Typed
  /** What is wrong with a value, by the name of its field. */
  readonly errors: ReadonlyMap<string, string>
  readonly onType: (typed: Typed) => void
}

/** A control for each custom field of the host app. Nothing is checked here: the server does. */
export function CustomFieldsForm({ schema, typed, errors, onType }: CustomFieldsFormProps) {
  const { properties, required = [] } = schema
  return Object.entries(properties).map(([name, field]) => {
    const { type, format, maxLength, description } = field
    const choices = type === 'boolean' ? booleans : field.enum?.map((one) => [String(one), String(one)] as const)
    const value = typed[name] ?? ''
    const isForeign = choices !== undefined && value !== '' && !choices.some(([one]) => one === value)
    const write = (text: string) => onType({ ...typed, [name]: text })
    return (
      <Field
        key={name}
        label={
          <>
            <bdi>{fieldLabel(schema, name)}</bdi>
            {!required.includes(name) && <span class="muted"> (optional)</span>}
          </>
        }
        help={description && <bdi>{description}</bdi>}
        error={errors.get(name)}
      >
        {(control) =>
          choices ? (
            <select {...control} value={value} onChange={({ currentTarget }) => write(currentTarget.value)}>
              <option value="">Choose…</option>
              {choices.map(([one, label]) => (
                <option key={one} value={one}>
                  {label}
                </option>
              ))}
              {isForeign && <option value={value}>{value}</option>}
            </select>
          ) : (
            <input
              {...control}
              class="input"
              type={(format === 'date' ? 'date' : 'text') as 'date'}
              inputmode={type === 'string' ? (format === 'uri' ? 'url' : undefined) : 'decimal'}
              maxLength={maxLength}
              value={value}
              onInput={({ currentTarget }) => write(currentTarget.value)}
            />
          )
        }
      </Field>
    )
  })
}

const booleans = [
  ['true', 'Yes'],
  ['false', 'No'],
] as const
