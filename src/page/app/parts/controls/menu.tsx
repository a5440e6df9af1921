import type { ComponentChildren, RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

interface MenuProps {
  readonly menu: RefObject<HTMLDetailsElement | null>
  /** What its button says. */
  readonly button: ComponentChildren
  readonly class: string
  readonly children: ComponentChildren
}

/** A button that unfolds what is below it. Escape, and a press or the focus outside, close it. */
export function Menu({ menu, button, class: own, children }: MenuProps) {
  useLayoutEffect(() => {
    const close = ({ target }: Event) => {
      if (menu.current?.open && target instanceof Node && !menu.current.contains(target)) menu.current.open = false
    }
    document.addEventListener('pointerdown', close)
    document.addEventListener('focusin', close)
    return () => {
      document.removeEventListener('pointerdown', close)
      document.removeEventListener('focusin', close)
    }
  }, [menu])
  return (
    <details
      class="menu"
      ref={menu}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !menu.current?.open) return
        event.preventDefault()
        closeMenu(menu)
      }}
    >
      <summary class={`btn ${own}`}>{button}</summary>
      <div class="menu-list">{children}</div>
    </details>
  )
}

/** Opens it, and its first choice has the focus. */
export function openMenu({ current }: RefObject<HTMLDetailsElement | null>): void {
  if (current === null) return
  current.open = true
  current.querySelector('button')?.focus()
}

/** Closes it, and its button has the focus. */
export function closeMenu({ current }: RefObject<HTMLDetailsElement | null>): void {
  if (!current?.open) return
  current.open = false
  current.querySelector('summary')?.focus()
}

interface MoreMenuProps {
  /** The only step in it. */
  readonly label: string
  readonly help: string
  readonly onChoose: () => void
}

/** A step that few users take. */
export function MoreMenu({ label, help, onChoose }: MoreMenuProps) {
  const menu = useRef<HTMLDetailsElement>(null)
  return (
    <Menu menu={menu} class="" button="More">
      <button
        type="button"
        onClick={() => {
          closeMenu(menu)
          onChoose()
        }}
      >
        {label}
      </button>
      <p class="small muted">{help}</p>
    </Menu>
  )
}
