import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { states } from '../../../../../generated/lists'
import { setQuery, useLocation } from '../../../core/places/navigation'
import { useKeys } from '../../../core/tools/keys'
import { Button } from '../../../parts/controls/button'
import { Chip, ChipButton } from '../../../parts/controls/chip'
import { Search } from '../../../parts/controls/search'
import { type Filters, isFiltered, noFilters } from './filters'

const labels = { project: 'Project', environment: 'Environment', state: 'State' } as const

type Name = keyof typeof labels

/** Filters with one value. */
const toggles = [
  { name: 'requested', value: 'me', label: 'Asked of', shown: 'you' },
  { name: 'afterReview', value: 'open', label: 'Needs', shown: 'acknowledgement' },
] as const

interface FilterBarProps {
  readonly filters: Filters
  /** What is known to be there, to choose from. */
  readonly known: Readonly<Record<'project' | 'environment', readonly string[]>>
}

/** The search, and the filters as chips; the address contains both. */
export function FilterBar({ filters, known }: FilterBarProps) {
  const { query } = useLocation()
  const [adding, setAdding] = useState<Name>()
  const bar = useRef<HTMLDivElement>(null)
  const isChosen = useRef(false)
  useKeys({ f: { label: 'add a filter', run: () => bar.current?.querySelector('button')?.focus() } })
  const names = ['project', 'environment', 'state'] as const
  const choose = (name: keyof typeof noFilters, value: string | undefined) => {
    setQuery({ [name]: value })
    setAdding(undefined)
    isChosen.current = true
  }
  useLayoutEffect(() => {
    // What had the focus is gone.
    if (isChosen.current) bar.current?.querySelector('button')?.focus()
    isChosen.current = false
  })
  return (
    <>
      <Search
        label="Search change requests"
        placeholder="Search title, flag, segment or #id"
        value={filters.query ?? ''}
        onSearch={(text) => setQuery({ query: text === '' ? undefined : text }, { replace: query.has('query') })}
      />
      <div class="chips flow" ref={bar}>
        {names.map((name) => (
          <Filter
            key={name}
            name={name}
            value={filters[name]}
            options={name === 'state' ? states : known[name]}
            adding={adding === name}
            onAdd={() => setAdding(name)}
            onChoose={(value) => choose(name, value)}
          />
        ))}
        {toggles.map(({ name, value, label, shown }) =>
          filters[name] ? (
            <Chip key={name} label={label} value={shown} onRemove={() => choose(name, undefined)} />
          ) : (
            <ChipButton key={name} onPress={() => choose(name, value)}>
              {label} {shown}
            </ChipButton>
          ),
        )}
        {isFiltered({ ...filters, query: undefined }) && <Clear />}
      </div>
    </>
  )
}

interface FilterProps {
  readonly name: Name
  readonly value: string | undefined
  readonly options: readonly string[]
  readonly adding: boolean
  readonly onAdd: () => void
  readonly onChoose: (value: string | undefined) => void
}

/** A filter that is on, that is being added, or that could be. */
function Filter({ name, value, options, adding, onAdd, onChoose }: FilterProps) {
  if (value !== undefined) {
    return <Chip label={`${labels[name]} is`} value={value} onRemove={() => onChoose(undefined)} />
  }
  if (adding) return <Adder {...{ name, options, onChoose }} />
  return <ChipButton onPress={onAdd}>{labels[name]}</ChipButton>
}

const Clear = () => (
  <Button kind="quiet" size="tiny" onClick={() => setQuery(noFilters)}>
    Clear
  </Button>
)

/** In the place of the chip: a state to choose, or a name to write or choose. */
function Adder({ name, options, onChoose }: Pick<FilterProps, 'name' | 'options' | 'onChoose'>) {
  const [value, setValue] = useState('')
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>('input, select')?.focus(), [])
  const choices = options.map((one) => (
    <option key={one} value={one}>
      {one}
    </option>
  ))
  return (
    <form
      ref={form}
      class="chip-form flow small"
      onSubmit={(event) => {
        event.preventDefault()
        onChoose(value.trim() || undefined)
      }}
      onKeyDown={(event) => event.key === 'Escape' && onChoose(undefined)}
    >
      <label for={id}>{labels[name]}</label>
      {name === 'state' ? (
        <select id={id} value={value} onChange={({ currentTarget }) => setValue(currentTarget.value)}>
          <option value="">any</option>
          {choices}
        </select>
      ) : (
        <>
          <input
            id={id}
            class="input"
            list={`${id}-known`}
            autocomplete="off"
            value={value}
            onInput={({ currentTarget }) => setValue(currentTarget.value)}
          />
          <datalist id={`${id}-known`}>{choices}</datalist>
        </>
      )}
      <Button submit>Add</Button>
    </form>
  )
}
