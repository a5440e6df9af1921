import { Icon } from '../marks/icon'

interface ChipProps {
  /** What the filter is about, such as `Environment is`. */
  readonly label: string
  readonly value: string
  readonly onRemove: () => void
}

/** A filter that is on, with a button that takes it away. */
export function Chip({ label, value, onRemove }: ChipProps) {
  return (
    <span class="chip on">
      <span>
        {label} <bdi class="strong">{value}</bdi>
      </span>
      <button type="button" aria-label={`Remove filter ${label} ${value}`} onClick={onRemove}>
        <Icon name="x" />
      </button>
    </span>
  )
}
