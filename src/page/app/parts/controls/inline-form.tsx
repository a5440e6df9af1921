import type { ComponentChildren, ComponentProps } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { FieldProps } from './field'

interface InlineFormProps extends Pick<ComponentProps<'form'>, 'id' | 'class'> {
  readonly onSubmit: () => void
  /** Escape. */
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A form within a screen: its first field has the focus. */
export function InlineForm({ onSubmit, onClose, ...props }: InlineFormProps) {
  const form = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>('input, select')?.focus(), [])
  return (
    <form
      {...props}
      ref={form}
      noValidate
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        onClose()
      }}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    />
  )
}

interface SuggestingInputProps {
  readonly control: Parameters<FieldProps['children']>[0]
  readonly value: string
  readonly choices: Iterable<string>
  readonly onText: (text: string) => void
}

/** A text, with values to choose from. */
export function SuggestingInput({ control, value, choices, onText }: SuggestingInputProps) {
  const id = `${control.id}-known`
  return (
    <>
      <input
        {...control}
        class="input"
        list={id}
        autocomplete="off"
        value={value}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
      />
      <datalist id={id}>
        {[...new Set(choices)].map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </>
  )
}
