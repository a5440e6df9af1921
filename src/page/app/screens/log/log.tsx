import { useMemo } from 'preact/hooks'
import { useLiveStatus } from '../../core/api/live'
import { useQuery } from '../../core/api/query'
import { client } from '../../core/api/session'
import { setQuery, useLocation } from '../../core/places/navigation'
import { PageTitle } from '../../core/places/title'
import { useKeys } from '../../core/tools/keys'
import { dayIn } from '../../core/tools/local-time'
import { KeysLine } from '../../parts/controls/keys-line'
import { lazy } from '../../parts/lazy'
import { count, counted } from '../../words/numbers'
import { ExportMenu, ExportToast, useExport } from './export/export'
import { LogPanel } from './list/log-panel'
import { useLog } from './list/log-store'
import { type Following, useFollowing, useLiveCount } from './list/use-following'
import { hasDays, isFiltered, readFilter, type ShownFilter, toAddressQuery } from './search/filter'
import { FilterBar, useSuggestions } from './search/filter-bar'
import { filterPhrase, type Names } from './search/filter-words'
import { chooseZone, useChosenZone, ZoneField } from './search/zone-field'
import './log.css'
import './event/event.css'

const LogActivity = lazy(
  async () => (await import('./plot/log-activity')).LogActivity,
  () => <section class="panel plot edge" />,
)

/** The event log: what is filtered, by whom and when, live. */
export function Log() {
  const { query } = useLocation()
  const address = query.toString()
  const filter = useMemo(() => readFilter(new URLSearchParams(address)), [address])
  const { log, state, isStale } = useLog(filter)
  const chosen = useChosenZone()
  const zone = filter.zone ?? chosen
  const following = useFollowing(log, state, filter, zone)
  const names = useCreators()
  const today = dayIn(zone, Date.now())
  const exported = useExport()
  const onFilter = (next: ShownFilter, options?: { replace?: boolean }) => setQuery(toAddressQuery(next), options)
  const onZone = (next: string) => {
    chooseZone(next)
    if (hasDays(filter)) onFilter({ ...filter, zone: next })
  }
  useKeys({ l: { label: 'follow', run: following.toggle } })
  const { pages } = state
  const isExact = pages !== undefined && !pages.atLeast && !isStale
  return (
    <>
      <div class="page-head">
        <PageTitle title="Log" />
        <WholeCount filter={filter} pages={pages} />
        <div class="end flow">
          <ZoneField zone={zone} onZone={onZone} />
          <FollowButton {...following} />
          <ExportMenu
            amount={exportAmount(isStale ? undefined : pages)}
            isAbout={!isExact}
            phrase={filterPhrase(filter, names)}
            onExport={(format) => void exported.start({ filter, format, expected: isExact ? pages.total : undefined })}
          />
        </div>
      </div>
      <FilterBar {...{ filter, names, today, zone, onFilter }} suggestions={useSuggestions(pages?.events)} />
      <LogActivity {...{ filter, zone, today, onFilter }} />
      <LogPanel {...{ log, state, isStale, filter, zone, names, following, onFilter }} />
      <KeysLine keys={keys} />
      {exported.state && (
        <ExportToast
          state={exported.state}
          onStop={exported.stop}
          onRetry={() => exported.state && void exported.start(exported.state)}
        />
      )}
    </>
  )
}

type Counted = { readonly total: number; readonly atLeast: boolean }

/** How many events the whole log has, also while only some are shown. */
function WholeCount({ filter, pages }: { readonly filter: ShownFilter; readonly pages: Counted | undefined }) {
  const isPart = isFiltered(filter)
  const whole = useWholeCount(isPart)
  const known = isPart ? whole : pages
  return <span class="muted">{known && amountWords(known)}</span>
}

/** `4,812 events`; `1,000+ events` where it is what was counted so far. */
export function amountWords({ total, atLeast }: Counted): string {
  return atLeast ? `${count(total)}+ events` : counted(total, 'event')
}

function exportAmount(pages: Counted | undefined): string {
  if (pages === undefined) return 'all events'
  return pages.atLeast ? `at least ${counted(pages.total, 'event')}` : counted(pages.total, 'event')
}

const keys = {
  'j k': 'move',
  Enter: 'open or close',
  '[ ]': 'previous or next day',
  l: 'follow',
  e: 'export',
  '?': 'all keys',
}

/** Whether new events come on top by themselves. */
function FollowButton({ isOn, toggle }: Following) {
  const status = useLiveStatus()
  const runs = status === 'live' || status === 'polling'
  return (
    <button class="btn follow" type="button" aria-pressed={isOn} onClick={toggle}>
      <span class={isOn && runs ? 'live' : 'live off'}>{isOn ? 'Following' : 'Follow'}</span>
    </button>
  )
}

/** Who has written events, by the number of the user. */
function useCreators(): Names {
  const { data } = useQuery(['event-creators'], ({ signal }) => client.eventCreators({ signal }))
  return useMemo(() => new Map((data ?? []).map(({ id, name }) => [id, name])), [data])
}

/** How many events there are without any filter; requested only if it is wanted. */
function useWholeCount(isWanted: boolean): { readonly total: number; readonly atLeast: boolean } | undefined {
  const load = async (options: { readonly signal: AbortSignal }) => {
    const { body, atLeast } = await client.searchEvents({}, { limit: 1 }, options)
    return { body: { total: body.total, atLeast } }
  }
  const { data, refresh } = useQuery(['whole-log'], isWanted ? load : undefined)
  useLiveCount(refresh, () => isWanted)
  return isWanted ? data : undefined
}
