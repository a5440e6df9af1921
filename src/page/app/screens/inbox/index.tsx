import { useLayoutEffect, useMemo } from 'preact/hooks'
import { Link } from '../../core/places/link'
import { navigate, newPath, setQuery, useLocation } from '../../core/places/navigation'
import { PageTitle } from '../../core/places/title'
import { useKeys } from '../../core/tools/keys'
import { Button } from '../../parts/controls/button'
import { KeysLine } from '../../parts/controls/keys-line'
import { TabLinks } from '../../parts/controls/tabs'
import { Icon } from '../../parts/marks/icon'
import { nameOf } from '../../parts/marks/person'
import { LoadFailed } from '../../parts/messages/load-failed'
import { Empty, Loading } from '../../parts/messages/notice'
import { totalOfMe, totalWords, useNeedsMe } from '../../reviews/needs-me'
import { keepWalk } from '../../reviews/walk'
import { count, counted, none } from '../../words/numbers'
import { type Entry, groupEntries } from './entries'
import { FilterBar } from './filter/filter-bar'
import { type Filters, inboxPath, isFiltered, noFilters, readFilters, tabPath } from './filter/filters'
import { List } from './list'
import { type Entries, useEntries } from './use-entries'
import './inbox.css'

const tabs = [
  { id: 'me', label: 'Needs you' },
  { id: 'mine', label: 'Yours' },
  { id: 'all', label: 'All' },
  { id: 'applied', label: 'Last applied' },
] as const

/** What waits for the caller, what they made, and all that they may see. */
export function Inbox() {
  const { query } = useLocation()
  const filters = readFilters(query)
  const found = useEntries(filters)
  const { entries, fresh, showFresh, loaded } = found
  const needsMe = useNeedsMe()
  useTabKeys(query)
  const groups = useMemo(() => groupEntries(filters, entries ?? []), [filters.tab, entries])
  const rows = useMemo(() => groups.flatMap(({ entries }) => entries.map(({ item }) => item)), [groups])
  const shown = rows.length
  useLayoutEffect(() => {
    const { key } = found
    if (entries !== undefined) keepWalk({ key, path: inboxPath(query), isMine: filters.tab === 'me', rows })
  }, [entries === undefined, found.key, rows])
  return (
    <>
      <div class="page-head">
        <PageTitle title="Inbox" />
        <Fresh count={fresh} onShow={showFresh} />
        <Link class="btn" to={newPath(filters)}>
          <Icon name="plus" />
          Propose a change
        </Link>
      </div>
      <div class="tools">
        <TabLinks
          label="Which change requests"
          current={filters.tab}
          tabs={tabs.map((tab) => ({ ...tab, count: tab.id === 'me' ? needsMe : undefined }))}
          to={(id) => tabPath(id, query)}
        />
        <FilterBar filters={filters} known={knownOf(entries ?? [])} />
      </div>
      {loaded.error !== undefined && <LoadFailed loaded={loaded} subject="the change requests" />}
      {(entries !== undefined || loaded.error === undefined) && (
        <section class="panel list edge" aria-label="Change requests" aria-busy={loaded.loading}>
          {entries === undefined && <Loading subject="change requests" />}
          <List groups={groups} isPart={found.more !== undefined} />
          {entries !== undefined && shown === 0 && <Nothing filters={filters} needsMe={needsMe} />}
          {entries !== undefined && (shown > 0 || found.more) && <Foot filters={filters} {...found} />}
        </section>
      )}
      <KeysLine keys={keys} />
    </>
  )
}

const keys = { 'j k': 'move', Enter: 'open', '1 2 3 4': 'tab', '/': 'search', f: 'filter', '?': 'all keys' }

/** Next to the heading, where it moves no row. */
function Fresh({ count, onShow }: { readonly count: number; readonly onShow: () => void }) {
  return (
    <div class="fresh-place" role="status">
      {count > 0 && (
        <button class="fresh" type="button" onClick={onShow}>
          {counted(count, 'new', 'new')}
        </button>
      )}
    </div>
  )
}

function useTabKeys(query: URLSearchParams): void {
  const go = (id: string, label: string) => ({ label, run: () => navigate(tabPath(id, query)) })
  useKeys({
    n: { label: 'propose a change', run: () => navigate('/new') },
    '1': go('me', 'Needs you'),
    '2': go('mine', 'Yours'),
    '3': go('all', 'All'),
    '4': go('applied', 'Last applied'),
  })
}

function knownOf(entries: readonly Entry[]) {
  const distinct = (names: readonly string[]) => [...new Set(names)].sort()
  return {
    project: distinct(entries.map(({ item }) => item.project)),
    environment: distinct(entries.map(({ item }) => item.environment)),
    feature: distinct(entries.flatMap(({ item }) => item.features)),
    author: new Map(entries.map(({ item: { createdBy } }) => [nameOf(createdBy), createdBy.id])),
  }
}

const footWords: Readonly<Record<Filters['tab'], readonly [one: string, many: string]>> = {
  me: ['needs you', 'need you'],
  mine: ['of yours', 'of yours'],
  all: ['change request', 'change requests'],
  applied: ['applied', 'applied'],
}

/** Below the rows: how many there are, and the way to more. */
function Foot({ filters, more, loaded }: Pick<Entries, 'more' | 'loaded'> & { readonly filters: Filters }) {
  const totals = loaded.data?.totals
  const total = totals && (filters.tab === 'me' ? totalOfMe(totals) : totals[filters.tab === 'mine' ? 'mine' : 'all'])
  return (
    <p class="list-foot flow muted small">
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

const nothing: Readonly<Record<Filters['tab'], readonly [title: string, text: string]>> = {
  me: ['Nothing needs you', 'No change request waits for you to approve, apply, acknowledge or fix it.'],
  mine: ['You have created none', 'Propose a change here, or where you edit flags.'],
  all: [
    'No change requests yet',
    'Propose a change here, or where you edit flags. Drafts of others are listed once they are submitted.',
  ],
  applied: ['Nothing was applied yet', 'What is applied last comes first here, to revert it quickly.'],
}

/** In the place of the rows: why there are none. */
function Nothing({ filters, needsMe }: { readonly filters: Filters; readonly needsMe: string | undefined }) {
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
        : filters.tab === 'all' || filters.tab === 'applied'
          ? 'Clear them to see all.'
          : 'Clear them, or look under All.'}
    </Empty>
  )
}
