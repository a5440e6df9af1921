import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Field } from '../../parts/controls/field'
import { Icon, type IconName } from '../../parts/marks/icon'

export interface Option {
  readonly id: string
  readonly label: ComponentChildren
}

interface ComboboxProps {
  readonly label: string
  readonly help?: ComponentChildren
  /** @defaultValue a part of its name */
  readonly placeholder?: string
  readonly icon: IconName
  readonly text: string
  readonly onText: (text: string) => void
  /** What was found for the text; undefined while it is searched. */
  readonly options: readonly Option[] | undefined
  readonly onChoose: (id: string) => void
}

/** A text field with what it finds below it. The arrow keys move in the list, whose first option Enter chooses. */
export function Combobox({
  label,
  help,
  placeholder = 'A part of its name',
  icon,
  text,
  onText,
  options: found,
  onChoose,
}: ComboboxProps) {
  const options = found ?? []
  const [place, setPlace] = useState({ text, index: 0 })
  const index = place.text === text ? Math.min(place.index, options.length - 1) : 0
  const active = options[index]
  const list = useId()
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => input.current?.focus(), [])
  useLayoutEffect(() => {
    document.getElementById(`${list}-${index}`)?.scrollIntoView({ block: 'nearest' })
  }, [index])
  // Enter was pressed before the only option was found.
  const entered = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (entered.current === text && options.length === 1 && active) onChoose(active.id)
    if (found) entered.current = undefined
  }, [found])
  const move = (steps: number) => {
    setPlace({ text, index: (index + steps + options.length) % options.length })
  }
  return (
    <Field label={label} help={help}>
      {(control) => (
        <>
          <input
            {...control}
            ref={input}
            class="input"
            role="combobox"
            aria-autocomplete="list"
            aria-expanded={options.length > 0}
            aria-controls={list}
            aria-activedescendant={active && `${list}-${index}`}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            placeholder={placeholder}
            value={text}
            onInput={({ currentTarget }) => onText(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.isComposing) return
              if (event.key === 'Enter' && found === undefined) entered.current = text
              if (active === undefined) return
              if (event.key === 'ArrowDown') move(1)
              else if (event.key === 'ArrowUp') move(-1)
              else if (event.key === 'Enter') onChoose(active.id)
              else return
              event.preventDefault()
            }}
          />
          <div class="found" role="listbox" id={list} aria-label={label} hidden={options.length === 0}>
            {options.map(({ id, label: name }, at) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: its keys are those of the field.
              // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus, and names the active option.
              <div
                key={id}
                id={`${list}-${at}`}
                role="option"
                aria-selected={at === index}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => onChoose(id)}
              >
                <Icon name={icon} />
                {name}
              </div>
            ))}
          </div>
        </>
      )}
    </Field>
  )
}
