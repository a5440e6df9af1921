import type { ComponentChildren, JSX } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Icon, type IconName } from '../marks/icon'

type ButtonProps = Omit<JSX.IntrinsicElements['button'], 'type' | 'disabled' | 'ref' | 'icon'> & {
  readonly kind?: 'primary' | 'danger' | 'quiet' | undefined
  readonly size?: 'tiny' | 'wide' | undefined
  readonly icon?: IconName | undefined
  readonly submit?: boolean | undefined
  /** What it says while it works, such as `Approving…`; it keeps its width. */
  readonly busy?: string | false | undefined
  /** Off, but still in reach: point `aria-describedby` to what is missing. */
  readonly off?: boolean | undefined
  readonly children?: ComponentChildren
}

/** A button that is never just grey: while it is off it keeps its place in the order of focus. */
export function Button({ kind, size, icon, submit, busy, off, class: own, onClick, children, ...rest }: ButtonProps) {
  const element = useRef<HTMLButtonElement>(null)
  const working = typeof busy === 'string'
  useWidth(element, working)
  const still = off === true || working
  return (
    <button
      {...rest}
      ref={element}
      type={submit ? 'submit' : 'button'}
      class={['btn', kind, size, own].filter(Boolean).join(' ')}
      aria-disabled={still || undefined}
      aria-busy={working || undefined}
      onClick={(event) => {
        if (still) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {icon && !working && <Icon name={icon} />}
      {working ? busy : children}
    </button>
  )
}

/** Keeps the width that the button had before it began to work. */
function useWidth(element: { current: HTMLButtonElement | null }, working: boolean): void {
  const width = useRef(0)
  useLayoutEffect(() => {
    const { current } = element
    if (current === null) return
    if (working) current.style.setProperty('min-width', `${width.current}px`)
    else {
      current.style.removeProperty('min-width')
      width.current = current.offsetWidth
    }
  })
}
