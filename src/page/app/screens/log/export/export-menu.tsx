import { useRef } from 'preact/hooks'
import { useKeys } from '../../../core/tools/keys'
import { closeMenu, Menu } from '../../../parts/controls/menu'
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
  const open = () => {
    if (menu.current === null) return
    menu.current.open = true
    menu.current.querySelector('button')?.focus()
  }
  useKeys({ e: { label: 'export', run: open } })
  return (
    <Menu
      menu={menu}
      class=""
      button={
        <>
          <Icon name="download" />
          Export
          <Icon name="chevronDown" />
        </>
      }
    >
      <p>
        What is filtered: <b>{amount}</b> <bdi>{phrase}</bdi>
      </p>
      {formats.map(({ format, name, use }) => (
        <button
          key={format}
          type="button"
          onClick={() => {
            closeMenu(menu)
            onExport(format)
          }}
        >
          <b>{name}</b>
          <span>{use}</span>
        </button>
      ))}
    </Menu>
  )
}
