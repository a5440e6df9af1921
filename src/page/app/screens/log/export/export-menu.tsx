import { useLayoutEffect, useRef } from 'preact/hooks'
import { useKeys } from '../../../core/tools/keys'
import { Icon } from '../../../parts/marks/icon'
import { type Format, formats } from './formats'

interface ExportMenuProps {
  /** How many events it has, such as `4,812 events`. */
  readonly amount: string
  /** Of what, such as `of Wed 18 Nov, in shop`. */
  readonly phrase: string
  readonly onExport: (format: Format) => void
}

/** Saves what is filtered as a file. */
export function ExportMenu({ amount, phrase, onExport }: ExportMenuProps) {
  const menu = useRef<HTMLDetailsElement>(null)
  const close = () => {
    if (menu.current === null || !menu.current.open) return
    menu.current.open = false
    menu.current.querySelector('summary')?.focus()
  }
  const open = () => {
    if (menu.current === null) return
    menu.current.open = true
    menu.current.querySelector('button')?.focus()
  }
  useKeys({ e: { label: 'export', run: open } })
  useClickOutside(menu)
  return (
    <details
      class="menu menu-r"
      ref={menu}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        close()
      }}
    >
      <summary class="btn">
        <Icon name="download" />
        Export
        <Icon name="chevronDown" />
      </summary>
      <div class="menu-list">
        <p>
          What is filtered: <b>{amount}</b> <bdi>{phrase}</bdi>
        </p>
        {formats.map(({ format, name, use }) => (
          <button
            key={format}
            type="button"
            onClick={() => {
              close()
              onExport(format)
            }}
          >
            <b>{name}</b>
            <span>{use}</span>
          </button>
        ))}
      </div>
    </details>
  )
}

function useClickOutside(menu: { current: HTMLDetailsElement | null }): void {
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
}
