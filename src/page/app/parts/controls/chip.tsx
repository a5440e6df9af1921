import type { ComponentChildren } from 'preact'
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

interface ChipButtonProps {
  readonly children: ComponentChildren
  readonly onPress: () => void
  readonly expanded?: boolean | undefined
  readonly controls?: string | undefined
}

/** Adds a filter. */
export function ChipButton({ children, onPress, expanded, controls }: ChipButtonProps) {
  return (
    <button class="chip" type="button" aria-expanded={expanded} aria-controls={controls} onClick={onPress}>
      <Icon name="plus" />
      {children}
    </button>
  )
}
