import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../../../parts/controls/button'

interface AdderProps {
  readonly label: string
  /** Only one of the options can be chosen; otherwise they are suggested. */
  readonly fixed: boolean
  readonly options: readonly string[]
  readonly onAdd: (value: string | undefined) => void
  readonly onCancel: () => void
}

/** In the place of the chip: a value to choose or, for names, to write. */
export function Adder({ label, fixed, options, onAdd, onCancel }: AdderProps) {
  const [value, setValue] = useState('')
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>('input, select')?.focus(), [])
  return (
    <form
      ref={form}
      class="chip-form"
      onSubmit={(event) => {
        event.preventDefault()
        onAdd(value.trim() === '' ? undefined : value.trim())
      }}
      onKeyDown={(event) => event.key === 'Escape' && onCancel()}
    >
      <label for={id}>{label}</label>
      {fixed ? (
        <select id={id} value={value} onChange={({ currentTarget }) => setValue(currentTarget.value)}>
          <option value="">any</option>
          {options.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      ) : (
        <Suggested id={id} value={value} options={options} onInput={setValue} />
      )}
      <Button submit>Add</Button>
    </form>
  )
}

interface SuggestedProps {
  readonly id: string
  readonly value: string
  readonly options: readonly string[]
  readonly onInput: (value: string) => void
}

function Suggested({ id, value, options, onInput }: SuggestedProps) {
  return (
    <>
      <input
        id={id}
        class="input"
        list={`${id}-known`}
        autocomplete="off"
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      <datalist id={`${id}-known`}>
        {options.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </>
  )
}
