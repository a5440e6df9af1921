import type { AnchorHTMLAttributes, ComponentChildren, TargetedMouseEvent } from 'preact'
import { navigate, toAddress } from './navigation'

type LinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'role' | 'onClick'> & {
  /** A path below the mount, with or without a query. */
  readonly to: string
  /** Called before it is gone to. */
  readonly onFollow?: (() => void) | undefined
  readonly children?: ComponentChildren
}

/** A link to a place of the page: an ordinary address, which does not load the document again. */
export function Link({ to, onFollow, ...rest }: LinkProps) {
  const click = (event: TargetedMouseEvent<HTMLAnchorElement>) => {
    if (!isPlain(event) || event.currentTarget.target === '_blank') return
    event.preventDefault()
    onFollow?.()
    navigate(to)
  }
  return <a {...rest} href={toAddress(to)} onClick={click} />
}

/** Whether the press of a link is to open it here. */
export function isPlain({ button, metaKey, ctrlKey, shiftKey, altKey, defaultPrevented }: MouseEvent): boolean {
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey && !defaultPrevented
}
