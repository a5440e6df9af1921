import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Field } from '../../parts/controls/field'
import { visible } from '../../words/visible'

interface SuggestedProps {
  readonly label: ComponentChildren
  readonly help?: ComponentChildren
  readonly error?: string | undefined
  readonly value: string
  readonly options: readonly string[]
  /** What an option stands for, if its value does not say it. */
  readonly describe?: ((option: string) => string) | undefined
  readonly onType?: (text: string) => void
  /** Called with one of the options, and with any other text when the field is left, without the blanks around it. */
  readonly onChoose?: ((text: string) => void) | undefined
}

/** A text field with suggestions: what is not among them can be typed. */
export function Suggested({ label, help, error, value, options, describe, onType, onChoose }: SuggestedProps) {
  const [text, setText] = useState(value)
  const before = useRef(value)
  const choose = (next: string) => next !== value && onChoose?.(next)
  useLayoutEffect(() => {
    // What was typed for another value is outdated.
    if (before.current !== value) setText(value)
    // Suggestions arrive after the last key.
    else if (options.includes(text)) choose(text)
    before.current = value
  }, [value, options])
  return (
    <Field label={label} help={help} error={error}>
      {(control) => (
        <>
          <input
            {...control}
            class="input"
            list={`${control.id}-list`}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            value={text}
            onInput={({ currentTarget }) => {
              setText(currentTarget.value)
              onType?.(currentTarget.value)
              if (options.includes(currentTarget.value)) choose(currentTarget.value)
            }}
            onChange={({ currentTarget }) => choose(currentTarget.value.trim())}
          />
          <datalist id={`${control.id}-list`}>
            {options.map((one) => (
              <option key={one} value={one}>
                {visible(describe?.(one) ?? '')}
              </option>
            ))}
          </datalist>
        </>
      )}
    </Field>
  )
}
