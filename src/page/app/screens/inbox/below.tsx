import { Link } from '../../core/places/link'
import { setQuery } from '../../core/places/navigation'
import { Button } from '../../parts/controls/button'
import { Empty } from '../../parts/messages/notice'
import { totalOfMe, totalWords } from '../../reviews/needs-me'
import { count, none } from '../../words/numbers'
import { type Filters, isFiltered, noFilters } from './filter/filters'
import type { useEntries } from './use-entries'

const footWords: Readonly<Record<Filters['tab'], readonly [one: string, many: string]>> = {
  me: ['needs you', 'need you'],
  mine: ['of yours', 'of yours'],
  all: ['change request', 'change requests'],
}

/** Below the rows: how many there are, and the way to more. */
export function Foot({ filters, more, loaded }: FootProps) {
  const totals = loaded.data?.totals
  const total = totals && (filters.tab === 'me' ? totalOfMe(totals) : totals[filters.tab])
  return (
    <p class="list-foot">
      <span>
        {total && `${totalWords(total)} ${footWords[filters.tab][total.count === 1 ? 0 : 1]}.`}
        {isFiltered(filters) && ' With these filters.'}
      </span>
      {more && (
        <Button onClick={more} busy={loaded.loading && 'Loading…'}>
          Load more
        </Button>
      )}
    </p>
  )
}

interface FootProps extends Pick<ReturnType<typeof useEntries>, 'more' | 'loaded'> {
  readonly filters: Filters
}

const nothing: Readonly<Record<Filters['tab'], readonly [title: string, text: string]>> = {
  me: ['Nothing needs you', 'No change request waits for you to approve, apply, acknowledge or fix it.'],
  mine: ['You have created none', 'Propose a change here, or where you edit flags.'],
  all: [
    'No change requests yet',
    'Propose a change here, or where you edit flags. Drafts of others are listed once they are submitted.',
  ],
}

/** In the place of the rows: why there are none. */
export function Nothing({ filters, needsMe }: { readonly filters: Filters; readonly needsMe: string | undefined }) {
  const [title, text] = nothing[filters.tab]
  if (!isFiltered(filters)) {
    return (
      <Empty
        icon="inbox"
        title={title}
        actions={
          <Link class="btn primary" to="/new">
            Propose a change
          </Link>
        }
      >
        {text}
      </Empty>
    )
  }
  const clear = () => setQuery({ ...noFilters, query: undefined })
  return (
    <Empty icon="inbox" title="Nothing fits these filters" actions={<Button onClick={clear}>Clear filters</Button>}>
      {filters.tab === 'me' && needsMe !== undefined && needsMe !== none
        ? `Without them, ${needsMe} need${needsMe === count(1) ? 's' : ''} you.`
        : filters.tab === 'all'
          ? 'Clear them to see all.'
          : 'Clear them, or look under All.'}
    </Empty>
  )
}
