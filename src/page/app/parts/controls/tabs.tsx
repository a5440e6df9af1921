import { Link } from '../../core/places/link'

export interface Tab {
  readonly id: string
  readonly label: string
  /** Such as 5, or `50+`. */
  readonly count?: number | string | undefined
}

interface TabLinksProps {
  readonly label: string
  readonly tabs: readonly Tab[]
  readonly current: string
  /** The address of a tab, below the mount. */
  readonly to: (id: string) => string
}

/** Parts of a screen that have an address each. */
export function TabLinks({ label, tabs, current, to }: TabLinksProps) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ id, label: text, count }) => (
        <Link key={id} to={to(id)} aria-current={id === current ? 'true' : undefined}>
          {text} {count !== undefined && <span class="count">{count}</span>}
        </Link>
      ))}
    </nav>
  )
}

interface TabsProps extends Omit<TabLinksProps, 'to'> {
  readonly onChoose: (id: string) => void
}

/** Views of one list, chosen by pressing. */
export function Tabs({ label, tabs, current, onChoose }: TabsProps) {
  return (
    <fieldset class="tabs" aria-label={label}>
      {tabs.map(({ id, label: text, count }) => (
        <button key={id} type="button" aria-pressed={id === current} onClick={() => onChoose(id)}>
          <bdi>{text}</bdi>
          {count !== undefined && ` (${count})`}
        </button>
      ))}
    </fieldset>
  )
}
