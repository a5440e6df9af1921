import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Button } from '../../../parts/controls/button'

interface FormShellProps {
  readonly onSubmit: () => void
  /** Esc, or Cancel. */
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** The form below the chips: its first field has the focus. */
export function FormShell({ onSubmit, onClose, children }: FormShellProps) {
  const form = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => form.current?.querySelector('input')?.focus(), [])
  return (
    <form
      ref={form}
      id="filter-form"
      class="panel filter-form"
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
    >
      {children}
      <p class="filter-acts">
        <Button submit kind="primary">
          Filter
        </Button>
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
      </p>
    </form>
  )
}
