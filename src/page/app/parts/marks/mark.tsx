import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon'

interface MarkProps {
  readonly tone: 'care' | 'stop' | 'plain' | 'new'
  readonly icon?: IconName | undefined
  readonly children: ComponentChildren
}

/** A small label next to a title, such as Conflict or Overwrites. */
export function Mark({ tone, icon, children }: MarkProps) {
  return (
    <span class={`mark m-${tone}`}>
      {icon && <Icon name={icon} />}
      {children}
    </span>
  )
}
