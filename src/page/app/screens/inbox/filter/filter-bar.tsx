import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { setQuery, useLocation } from '../../../core/places/navigation'
import { useKeys } from '../../../core/tools/keys'
import * as times from '../../../core/tools/times'
import { Button } from '../../../parts/controls/button'
import { Chip } from '../../../parts/controls/chip'
import { closeMenu, Menu } from '../../../parts/controls/menu'
import { Search } from '../../../parts/controls/search'
import { Icon } from '../../../parts/marks/icon'
import { FilterForm, type Known } from './filter-form'
import { type FilterName, type Filters, isFiltered, noFilters, orderOf, orders } from './filters'

/** What each filter is called. */
const labels: Readonly<Record<FilterName, string>> = {
  project: 'Project',
  environment: 'Environment',
  state: 'State',
  author: 'Author',
  feature: 'Flag',
  created: 'Created',
}

/** Filters with one value. */
const toggles = [
  { name: 'requested', value: 'me', label: 'Asked of', shown: 'you' },
  { name: 'afterReview', value: 'open', label: 'Needs', shown: 'acknowledgement' },
] as const

interface FilterBarProps {
  readonly filters: Filters
  readonly known: Known
}

/** The search, the filters as chips, and the order; the address contains all of them. */
export function FilterBar({ filters, known }: FilterBarProps) {
  const { query } = useLocation()
  const [adding, setAdding] = useState<FilterName>()
  const menu = useRef<HTMLDetailsElement>(null)
  const isChosen = useRef(false)
  const focusMenu = () => menu.current?.querySelector('summary')?.focus()
  useKeys({ f: { label: 'add a filter', run: focusMenu } })
  const choose = (values: Parameters<typeof setQuery>[0]) => {
    setQuery(values)
    setAdding(undefined)
    isChosen.current = true
  }
  useLayoutEffect(() => {
    // What had the focus is gone.
    if (isChosen.current) focusMenu()
    isChosen.current = false
  })
  const off = (Object.keys(labels) as FilterName[]).filter(
    (name) => (name === 'created' || filters[name] === undefined) && (name !== 'state' || filters.tab !== 'applied'),
  )
  return (
    <>
      <Search
        label="Search change requests"
        placeholder="Search title, flag, segment or #id"
        value={filters.query ?? ''}
        onSearch={(text) => setQuery({ query: text === '' ? undefined : text }, { replace: query.has('query') })}
      />
      <div class="chips flow">
        <Menu
          menu={menu}
          class=""
          button={
            <>
              <Icon name="plus" />
              Filter
            </>
          }
        >
          {off.map((name) => (
            <button
              key={name}
              type="button"
              onClick={() => {
                closeMenu(menu)
                setAdding(name)
              }}
            >
              {labels[name]}
            </button>
          ))}
          {toggles.map(
            ({ name, value, label, shown }) =>
              !filters[name] && (
                <button
                  key={name}
                  type="button"
                  onClick={() => {
                    closeMenu(menu)
                    choose({ [name]: value })
                  }}
                >
                  {label} {shown}
                </button>
              ),
          )}
        </Menu>
        {chipsOf(filters, known).map(({ name, label, value }) => (
          <Chip key={name} label={label} value={value} onRemove={() => choose({ [name]: undefined })} />
        ))}
        {isFiltered({ ...filters, query: undefined }) && (
          <Button kind="quiet" size="tiny" onClick={() => choose(noFilters)}>
            Clear
          </Button>
        )}
        {adding && (
          <FilterForm
            key={adding}
            name={adding}
            label={labels[adding]}
            known={known}
            filters={filters}
            onChoose={choose}
            onClose={() => choose({})}
          />
        )}
        <select
          class="input order end"
          aria-label="Order"
          value={filters.order}
          onChange={({ currentTarget: { value } }) =>
            setQuery({ order: value === orderOf(filters.tab) ? undefined : value })
          }
        >
          {Object.entries(orders).map(([order, words]) => (
            <option key={order} value={order}>
              {words}
            </option>
          ))}
        </select>
      </div>
    </>
  )
}

/** The filters that are on. */
function chipsOf(filters: Filters, { author: authors }: Known) {
  const { author, createdFrom, createdTo } = filters
  const day = (moment: string, before = 0) => `${times.day(Date.parse(moment) - before)} (${times.zone})`
  const name = [...authors].find(([, id]) => id === author)?.[0] ?? `user ${author}`
  const chip = (name: keyof typeof noFilters, label: string, value: string | undefined) =>
    value === undefined ? [] : [{ name, label, value }]
  return [
    ...(['project', 'environment', 'state', 'feature'] as const).flatMap((name) =>
      chip(name, `${labels[name]} is`, filters[name]),
    ),
    ...chip('author', 'Author is', author === undefined ? undefined : name),
    ...chip('createdFrom', 'Created from', createdFrom && day(createdFrom)),
    ...chip('createdTo', 'Created until', createdTo && day(createdTo, 1)),
    ...toggles.flatMap(({ name, label, shown }) => chip(name, label, filters[name] && shown)),
  ]
}
