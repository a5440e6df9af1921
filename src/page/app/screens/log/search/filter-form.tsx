import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Day } from '../../../core/tools/local-time'
import { Button } from '../../../parts/controls/button'
import { Field, TextField } from '../../../parts/controls/field'
import { InlineForm, SuggestingInput } from '../../../parts/controls/inline-form'
import { knownTypes, typeFor, typeWords } from '../event/type-words'
import { dayFrom, fieldWords, isValue, type ShownFilter, type ValueField, withDays, withValue } from './filter'
import type { Names } from './filter-words'

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
          <SuggestingInput
            control={control}
            value={text}
            choices={choices(field, names, suggestions)}
            onText={setText}
          />
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

interface FormShellProps {
  readonly onSubmit: () => void
  /** Esc, or Cancel. */
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** The form below the chips. */
export function FormShell({ onSubmit, onClose, children }: FormShellProps) {
  return (
    <InlineForm id="filter-form" class="panel filter-form flow" onSubmit={onSubmit} onClose={onClose}>
      {children}
      <p class="filter-acts flow">
        <Button submit kind="primary">
          Filter
        </Button>
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
      </p>
    </InlineForm>
  )
}

/** Takes the first and the last day; each may be left empty. */
export function DaysForm({ filter, today, zone, onFilter, onClose }: FilterFormProps) {
  const [from, setFrom] = useState(filter.from ?? '')
  const [to, setTo] = useState(filter.to ?? '')
  const isWrong = from !== '' && to !== '' && from > to
  const isUnknown = [from, to].some((day) => day !== '' && dayFrom(day) === undefined)
  const error = isUnknown ? 'Choose days after 1970.' : isWrong ? 'The last day is before the first one.' : undefined
  const day = { type: 'date', max: today } as const
  const submit = () => {
    if (error === undefined) onFilter(withDays(filter, from, to, zone))
  }
  return (
    <FormShell onSubmit={submit} onClose={onClose}>
      <TextField label="First day" help={`Days are those of ${zone}.`} {...day} value={from} onText={setFrom} />
      <TextField label="Last day" error={error} {...day} value={to} onText={setTo} />
    </FormShell>
  )
}

/** Values of a filter that are known to occur. */
export type Suggestions = Readonly<Partial<Record<ValueField, readonly string[]>>>

export interface FilterFormProps {
  readonly adding: ValueField | 'days'
  readonly filter: ShownFilter
  readonly names: Names
  readonly suggestions: Suggestions
  readonly today: Day
  /** The zone of days. */
  readonly zone: string
  readonly onFilter: (filter: ShownFilter) => void
  readonly onClose: () => void
}
