import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { Icon } from '../marks/icon'

export interface FieldProps {
  readonly label: ComponentChildren
  readonly help?: ComponentChildren
  /** What is wrong with what was entered. */
  readonly error?: string | undefined
  /** Renders the control with what ties it to its label, help and error. */
  readonly children: (control: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }) => ComponentChildren
}

/** A control with its label, its help and what is wrong with it. */
export function Field({ label, help, error, children }: FieldProps) {
  const id = useId()
  const described = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div class={error ? 'field bad' : 'field'}>
      <label for={id}>{label}</label>
      {children({
        id,
        ...(described !== '' && { 'aria-describedby': described }),
        ...(error && { 'aria-invalid': true as const }),
      })}
      {help && (
        <p class="muted small" id={`${id}-help`}>
          {help}
        </p>
      )}
      {error && (
        <p class="error" id={`${id}-error`}>
          <Icon name="stop" />
          {error}
        </p>
      )}
    </div>
  )
}

interface TextFieldProps extends Omit<FieldProps, 'children'> {
  readonly type?: 'date' | 'time' | 'number'
  readonly value: string
  readonly max?: string
  readonly maxLength?: number
  readonly required?: boolean
  readonly 'data-first'?: boolean
  readonly 'aria-describedby'?: string
  readonly onText: (text: string) => void
}

/** One line of text, a number, a day or a time. */
export function TextField({ label, help, error, type, onText, ...input }: TextFieldProps) {
  return (
    <Field {...{ label, help, error }}>
      {(control) => (
        <input
          {...control}
          class="input"
          type={type as 'date'}
          {...input}
          onInput={({ currentTarget }) => onText(currentTarget.value)}
        />
      )}
    </Field>
  )
}

interface CommentFieldProps {
  readonly label: string
  readonly help?: string
  readonly comment: string
  onComment(comment: string): void
}

/** A comment, such as that of a decision. */
export function CommentField({ label, help, comment, onComment }: CommentFieldProps) {
  return (
    <Field label={label} help={help}>
      {(control) => (
        <textarea
          {...control}
          rows={3}
          maxLength={10_000}
          data-first
          value={comment}
          onInput={({ currentTarget }) => onComment(currentTarget.value)}
        />
      )}
    </Field>
  )
}
