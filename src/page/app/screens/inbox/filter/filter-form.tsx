import { useState } from 'preact/hooks'
import { states } from '../../../../../generated/lists'
import type { setQuery } from '../../../core/places/navigation'
import * as times from '../../../core/tools/times'
import { Button } from '../../../parts/controls/button'
import { Field, TextField } from '../../../parts/controls/field'
import { InlineForm, SuggestingInput } from '../../../parts/controls/inline-form'
import { type FilterName, type Filters, readUser, startOf } from './filters'

/** What occurs in the rows, to choose from; of authors the ids by name. */
export interface Known extends Readonly<Record<'project' | 'environment' | 'feature', readonly string[]>> {
  readonly author: ReadonlyMap<string, number | null>
}

interface FilterFormProps {
  readonly name: FilterName
  readonly label: string
  readonly known: Known
  readonly filters: Filters
  readonly onChoose: (values: Parameters<typeof setQuery>[0]) => void
  readonly onClose: () => void
}

/** Takes the value of one filter. */
export function FilterForm({ name, label, known, filters, onChoose, onClose }: FilterFormProps) {
  const [text, setText] = useState('')
  const [last, setLast] = useState('')
  const [error, setError] = useState<string>()
  const submit = () => {
    const value = text.trim()
    if (name === 'created') {
      if (value !== '' && last !== '' && value > last) return setError('The last day is before the first one.')
      return onChoose({
        createdFrom: startOf(value) ?? filters.createdFrom,
        createdTo: startOf(last, 1) ?? filters.createdTo,
      })
    }
    const user = known.author.get(value) ?? readUser(value)
    if (name === 'author' && value !== '' && user === undefined) {
      return setError('Choose a user from the list, or enter the id of a user.')
    }
    onChoose({ [name]: (name === 'author' ? user?.toString() : value) || undefined })
  }
  return (
    <InlineForm class="chip-form flow small" onSubmit={submit} onClose={onClose}>
      {name === 'created' ? (
        <>
          <TextField
            label="Created from"
            type="date"
            help={`Days are those of ${times.zone}.`}
            value={text}
            onText={setText}
          />
          <TextField label="Created until" type="date" error={error} value={last} onText={setLast} />
        </>
      ) : (
        <Field label={label} error={error}>
          {(control) =>
            name === 'state' ? (
              <select
                {...control}
                class="input"
                value={text}
                onChange={({ currentTarget }) => setText(currentTarget.value)}
              >
                <option value="">any</option>
                {states.map((state) => (
                  <option key={state}>{state}</option>
                ))}
              </select>
            ) : (
              <SuggestingInput
                control={control}
                value={text}
                choices={name === 'author' ? known.author.keys() : known[name]}
                onText={setText}
              />
            )
          }
        </Field>
      )}
      <Button submit>Add</Button>
      <Button kind="quiet" onClick={onClose}>
        Cancel
      </Button>
    </InlineForm>
  )
}
