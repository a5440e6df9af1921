import type { ComponentChildren } from 'preact'
import { useMemo, useRef, useState } from 'preact/hooks'
import type { EventView } from '../../../../../generated'
import { useKeys } from '../../../core/tools/keys'
import type { Day } from '../../../core/tools/local-time'
import { Button } from '../../../parts/controls/button'
import { Chip } from '../../../parts/controls/chip'
import { closeMenu, Menu } from '../../../parts/controls/menu'
import { Search } from '../../../parts/controls/search'
import { DialogFallback, lazy } from '../../../parts/lazy'
import { Icon, type IconName } from '../../../parts/marks/icon'
import { openMenu } from '../export/export'
import { dayWords } from '../plot/days'
import { fieldWords, isFiltered, type ShownFilter, type ValueField, valueFields, withDays, withText } from './filter'
import type { Suggestions } from './filter-form'
import { filterChips, type Names } from './filter-words'
import { periodsOf } from './periods'

const FilterForm = lazy(async () => (await import('./filter-form')).FilterForm, DialogFallback)

interface FilterBarProps {
  readonly filter: ShownFilter
  readonly names: Names
  readonly suggestions: Suggestions
  readonly today: Day
  readonly zone: string
  readonly onFilter: (filter: ShownFilter, options?: { replace?: boolean }) => void
}

type Adding = ValueField | 'days'

const Opener = ({ icon, children }: { readonly icon: IconName; readonly children: ComponentChildren }) => (
  <>
    <Icon name={icon} />
    {children}
    <Icon name="chevronDown" />
  </>
)

/** The text that is searched for, and every other filter as a chip. */
export function FilterBar({ filter, names, suggestions, today, zone, onFilter }: FilterBarProps) {
  const [adding, setAdding] = useState<Adding>()
  const [filterMenu, daysMenu] = [useRef<HTMLDetailsElement>(null), useRef<HTMLDetailsElement>(null)]
  const focusMenu = (menu = filterMenu) => menu.current?.querySelector('summary')?.focus()
  useKeys({ f: { label: 'filter', run: () => openMenu(filterMenu) } })
  const close = () => {
    focusMenu(adding === 'days' ? daysMenu : filterMenu)
    setAdding(undefined)
  }
  const choose = (menu: typeof filterMenu, next: Adding) => {
    closeMenu(menu)
    setAdding(next)
  }
  return (
    <div class="log-bar">
      <div class="log-tools flow">
        <Search
          label="Search a text in events"
          placeholder="Search in values, before and after, and tags"
          value={filter.query ?? ''}
          onSearch={(text) => onFilter(withText(filter, text), { replace: filter.query !== undefined })}
        />
        <Menu menu={filterMenu} class="" button={<Opener icon="plus">Filter</Opener>}>
          {valueFields.map((one) => (
            <button key={one} type="button" onClick={() => choose(filterMenu, one)}>
              {fieldWords[one]}
            </button>
          ))}
        </Menu>
        <Menu menu={daysMenu} class="" button={<Opener icon="scheduled">Days</Opener>}>
          {periodsOf(today).map(({ label, first, last }) => (
            <button
              key={label}
              type="button"
              onClick={() => {
                closeMenu(daysMenu)
                onFilter(withDays(filter, first, last, zone))
              }}
            >
              {label}
              <span class="muted small">
                {dayWords(first, { form: 'date' })} to {dayWords(last, { form: 'date' })}
              </span>
            </button>
          ))}
          <button type="button" onClick={() => choose(daysMenu, 'days')}>
            Other days…
          </button>
        </Menu>
      </div>
      {isFiltered(filter) && (
        <fieldset class="chips flow" aria-label="Filters">
          {filterChips(filter, names).map(({ key, lead, value, without }) => (
            <Chip
              key={key}
              label={lead}
              value={value}
              onRemove={() => {
                onFilter(without)
                focusMenu()
              }}
            />
          ))}
          <Button
            kind="quiet"
            size="tiny"
            onClick={() => {
              onFilter({ values: {} })
              focusMenu()
            }}
          >
            Clear
          </Button>
        </fieldset>
      )}
      {adding && (
        <FilterForm
          key={adding}
          adding={adding}
          filter={filter}
          names={names}
          suggestions={suggestions}
          today={today}
          zone={zone}
          onFilter={(next) => {
            onFilter(next)
            close()
          }}
          onClose={close}
        />
      )}
    </div>
  )
}

/** Enough to choose from; more are typed faster than found. */
const most = 50

/** Values that occur among the events at hand. */
export function useSuggestions(events: readonly EventView[] | undefined): Suggestions {
  return useMemo(() => {
    const newest = (events ?? []).slice(0, 1_000)
    const distinct = (values: (string | null | undefined)[]) =>
      [...new Set(values.filter((value): value is string => value != null && value !== ''))].sort().slice(0, most)
    return {
      project: distinct(newest.map(({ project }) => project)),
      environment: distinct(newest.map(({ environment }) => environment)),
      feature: distinct(newest.map(({ featureName }) => featureName)),
    }
  }, [events])
}
