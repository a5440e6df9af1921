import { useState } from 'preact/hooks'
import { Field } from '../../../parts/controls/field'
import { knownTypes, typeFor, typeWords } from '../event/type-words'
import { DaysForm } from './days-form'
import { fieldWords, isValue, type ValueField, withValue } from './filter'
import type { FilterFormProps, Suggestions } from './filter-form-props'
import type { Names } from './filter-words'
import { FormShell } from './form-shell'

/** Takes the value of one filter. */
export function FilterForm(props: FilterFormProps) {
  return props.adding === 'days' ? <DaysForm {...props} /> : <ValueForm {...props} field={props.adding} />
}

type ValueFormProps = FilterFormProps & { readonly field: ValueField }

function ValueForm({ field, filter, names, suggestions, onFilter, onClose }: ValueFormProps) {
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  const submit = () => {
    const value = readValue(field, text, names)
    if (value === undefined) setError(hints[field] ?? 'Type a value without a comma.')
    else onFilter(withValue(filter, field, value))
  }
  return (
    <FormShell onSubmit={submit} onClose={onClose}>
      <Field label={fieldWords[field]} error={error} help={helps[field]}>
        {(control) => (
          <>
            <input
              {...control}
              class="input"
              list={`${control.id}-list`}
              autocomplete="off"
              value={text}
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
            <datalist id={`${control.id}-list`}>
              {[...new Set(choices(field, names, suggestions))].map((one) => (
                <option key={one} value={one} />
              ))}
            </datalist>
          </>
        )}
      </Field>
    </FormShell>
  )
}

function choices(field: ValueField, names: Names, suggestions: Suggestions): Iterable<string> {
  if (field === 'type') return knownTypes.map(typeWords)
  return field === 'createdBy' ? names.values() : (suggestions[field] ?? [])
}

/** The value of the wire for what a person typed; undefined where it can be none. */
function readValue(field: ValueField, text: string, names: Names): string | undefined {
  const trimmed = text.trim()
  const found = field === 'createdBy' ? [...names].find(([, name]) => name === trimmed)?.[0] : undefined
  const value = field === 'type' ? typeFor(trimmed) : String(found ?? trimmed)
  return isValue(field, value) ? value : undefined
}

const hints: Readonly<Partial<Record<ValueField, string>>> = {
  id: 'Type the number of an event.',
  createdBy: 'Choose a user from the list, or enter the id of a user.',
}

const helps: Readonly<Partial<Record<ValueField, string>>> = {
  feature: 'Also finds the change requests that have a change of it now.',
  groupId: 'The events of one apply have one group.',
}
