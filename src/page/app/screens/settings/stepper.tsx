import { Icon } from '../../parts/marks/icon'

interface StepperProps {
  readonly value: number
  /** Cannot be pressed now. */
  readonly off: boolean
  readonly label: string
  readonly onChange: (value: number) => void
}

const [least, most] = [1, 10]

/** A small number with a button for one less and one for one more. */
export function Stepper({ value, off, label, onChange }: StepperProps) {
  const step = (by: 1 | -1) => {
    const next = value + by
    const out = off || next < least || next > most
    return {
      type: 'button' as const,
      'aria-disabled': out || undefined,
      onClick: () => !out && onChange(next),
    }
  }
  return (
    <fieldset class="stepper" aria-label={label}>
      <button {...step(-1)} aria-label="One less">
        <Icon name="minus" />
      </button>
      <output>{value}</output>
      <button {...step(1)} aria-label="One more">
        <Icon name="plus" />
      </button>
    </fieldset>
  )
}
