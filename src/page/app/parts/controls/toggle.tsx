interface ToggleProps {
  readonly label: string
  readonly value: boolean
  readonly off?: boolean
  /** What it says while it is on, and while it is off. */
  readonly words?: readonly [on: string, off: string]
  readonly onChange: (on: boolean) => void
}

/** A switch that says On or Off. */
export function Toggle({ label, value: on, off, words = ['On', 'Off'], onChange }: ToggleProps) {
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
      <span aria-hidden="true">{words[on ? 0 : 1]}</span>
    </button>
  )
}
