import { setQuery } from '../../core/places/navigation'
import { Button } from '../../parts/controls/button'
import { Empty } from '../../parts/messages/notice'
import { type Filters, isFiltered } from './filter/filters'
import type { useEntries } from './use-entries'

const footWords: Readonly<Record<Filters['tab'], (count: number) => string>> = {
  me: (count) => (count === 1 ? '1 needs you.' : `${count} need you.`),
  mine: (count) => `${count} open. Closed ones are under All.`,
  all: (count) => (count === 1 ? '1 change request.' : `${count} change requests.`),
}

/** Below the rows: how many they are, and the way to older ones. */
export function Foot({
  filters,
  shown,
  more,
  loaded,
}: { filters: Filters; shown: number } & Pick<ReturnType<typeof useEntries>, 'more' | 'loaded'>) {
  return (
    <p class="list-foot">
      <span>
        {footWords[filters.state === undefined ? filters.tab : 'all'](shown)}
        {isFiltered(filters) && ' With these filters.'}
      </span>
      {more && (
        <Button onClick={more} busy={loaded.loading && 'Loading…'}>
          Load older ones
        </Button>
      )}
    </p>
  )
}

const nothing: Readonly<Record<Filters['tab'], readonly [title: string, text: string]>> = {
  me: ['Nothing needs you', 'No change request waits for your approval, for you to apply it, or for a second look.'],
  mine: ['Nothing of yours is open', 'Closed ones are under All. Changes are proposed where you edit flags.'],
  all: ['No change requests yet', 'Changes are proposed where you edit flags. Drafts are only seen by their author.'],
}

/** In the place of the rows: why there are none. */
export function Nothing({ filters, needsMe }: { readonly filters: Filters; readonly needsMe: string | undefined }) {
  const [title, text] = nothing[filters.tab]
  if (!isFiltered(filters)) {
    return (
      <Empty icon="inbox" title={title}>
        {text}
      </Empty>
    )
  }
  const clear = () => setQuery({ project: undefined, environment: undefined, state: undefined, query: undefined })
  return (
    <Empty icon="inbox" title="Nothing fits these filters" actions={<Button onClick={clear}>Clear filters</Button>}>
      {filters.tab === 'me' && needsMe !== undefined && needsMe !== '0'
        ? `Without them, ${needsMe} need${needsMe === '1' ? 's' : ''} you.`
        : filters.tab === 'all'
          ? 'Clear them to see all.'
          : 'Clear them, or look under All.'}
    </Empty>
  )
}
