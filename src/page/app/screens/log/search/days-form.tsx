import { useState } from 'preact/hooks'
import { Field } from '../../../parts/controls/field'
import { withDays } from './filter'
import type { FilterFormProps } from './filter-form-props'
import { FormShell } from './form-shell'

/** Takes the first and the last day; each may be left empty. */
export function DaysForm({ filter, today, onFilter, onClose }: FilterFormProps) {
  const [from, setFrom] = useState(filter.from ?? '')
  const [to, setTo] = useState(filter.to ?? '')
  const isWrong = from !== '' && to !== '' && from > to
  const submit = () => {
    if (!isWrong) onFilter({ ...withDays(filter), ...(from && { from }), ...(to && { to }) })
  }
  return (
    <FormShell onSubmit={submit} onClose={onClose}>
      <Field label="First day" help="Days are those of UTC.">
        {(control) => <DayInput {...{ control, today }} value={from} onDay={setFrom} />}
      </Field>
      <Field label="Last day" error={isWrong ? 'The last day is before the first one.' : undefined}>
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
