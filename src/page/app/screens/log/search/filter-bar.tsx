import { useMemo, useRef, useState } from 'preact/hooks'
import type { EventView } from '../../../../../generated'
import { useKeys } from '../../../core/tools/keys'
import { Button } from '../../../parts/controls/button'
import { Chip, ChipButton } from '../../../parts/controls/chip'
import { Search } from '../../../parts/controls/search'
import { DialogFallback, lazy } from '../../../parts/lazy'
import type { Day } from '../plot/days'
import { fieldWords, isFiltered, type ShownFilter, type ValueField, valueFields, withText } from './filter'
import type { Suggestions } from './filter-form'
import { filterChips, type Names } from './filter-words'

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

/** The text that is searched for, and every other filter as a chip. */
export function FilterBar({ filter, names, suggestions, today, zone, onFilter }: FilterBarProps) {
  const [adding, setAdding] = useState<Adding>()
  const chips = useRef<HTMLFieldSetElement>(null)
  const focusAdd = (one?: Adding) => {
    const found = chips.current?.querySelector<HTMLButtonElement>(
      one === undefined ? 'button.chip' : `[data-add="${one}"] button`,
    )
    found?.focus()
  }
  useKeys({ f: { label: 'filter', run: () => focusAdd() } })
  const close = () => {
    focusAdd(adding)
    setAdding(undefined)
  }
  const addable: readonly Adding[] = [...valueFields, 'days']
  return (
    <div class="log-bar">
      <Search
        label="Search a text in events"
        placeholder="Search in values, before and after, and tags"
        value={filter.query ?? ''}
        onSearch={(text) => onFilter(withText(filter, text), { replace: filter.query !== undefined })}
      />
      <fieldset class="chips flow scroll-x" aria-label="Filters" ref={chips}>
        {filterChips(filter, names).map(({ key, lead, value, without }) => (
          <Chip
            key={key}
            label={lead}
            value={value}
            onRemove={() => {
              onFilter(without)
              focusAdd()
            }}
          />
        ))}
        {addable.map((one) => (
          <span key={one} data-add={one}>
            <ChipButton
              expanded={adding === one}
              controls={adding === one ? 'filter-form' : undefined}
              onPress={() => setAdding(adding === one ? undefined : one)}
            >
              {one === 'days' ? 'Days' : fieldWords[one]}
            </ChipButton>
          </span>
        ))}
        {isFiltered(filter) && (
          <Button
            kind="quiet"
            size="tiny"
            onClick={() => {
              onFilter({ values: {} })
              focusAdd()
            }}
          >
            Clear
          </Button>
        )}
      </fieldset>
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
