import { useState } from 'preact/hooks'
import { Field } from '../../../parts/controls/field'
import { dayFrom, withDays } from './filter'
import type { FilterFormProps } from './filter-form-props'
import { FormShell } from './form-shell'

/** Takes the first and the last day; each may be left empty. */
export function DaysForm({ filter, today, zone, onFilter, onClose }: FilterFormProps) {
  const [from, setFrom] = useState(filter.from ?? '')
  const [to, setTo] = useState(filter.to ?? '')
  const isWrong = from !== '' && to !== '' && from > to
  const isUnknown = [from, to].some((day) => day !== '' && dayFrom(day) === undefined)
  const error = isUnknown ? 'Choose days after 1970.' : isWrong ? 'The last day is before the first one.' : undefined
  const submit = () => {
    if (error === undefined) onFilter(withDays(filter, from, to, zone))
  }
  return (
    <FormShell onSubmit={submit} onClose={onClose}>
      <Field label="First day" help={`Days are those of ${zone}.`}>
        {(control) => <DayInput {...{ control, today }} value={from} onDay={setFrom} />}
      </Field>
      <Field label="Last day" error={error}>
        {(control) => <DayInput {...{ control, today }} value={to} onDay={setTo} />}
      </Field>
    </FormShell>
  )
}

interface DayInputProps {
  readonly control: object
  readonly today: string
  readonly value: string
  readonly onDay: (day: string) => void
}

function DayInput({ control, today, value, onDay }: DayInputProps) {
  return (
    <input
      {...control}
      class="input"
      type="date"
      max={today}
      value={value}
      onInput={({ currentTarget }) => onDay(currentTarget.value)}
    />
  )
}
