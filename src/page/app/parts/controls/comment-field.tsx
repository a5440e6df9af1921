import { Field } from './field'

interface CommentFieldProps {
  readonly label: string
  readonly help: string
  readonly comment: string
  onComment(comment: string): void
}

/** What is said with a decision. */
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
