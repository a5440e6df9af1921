interface ToggleProps {
  readonly on: boolean
  /** Cannot be pressed now. */
  readonly off: boolean
  readonly label: string
  readonly onChange: (on: boolean) => void
}

/** A switch that says On or Off. */
export function Toggle({ on, off, label, onChange }: ToggleProps) {
  return (
    <button
      class="toggle"
      type="button"
      role="switch"
      aria-checked={on}
      aria-label={label}
      aria-disabled={off || undefined}
      onClick={() => !off && onChange(!on)}
    >
      <span class="knob" />
      <span aria-hidden="true">{on ? 'On' : 'Off'}</span>
    </button>
  )
}
