import type { ReviewListItemView } from '../../../../generated'
import { isProduction } from '../../core/tools/production'
import * as times from '../../core/tools/times'
import type { IconName } from '../../parts/marks/icon'
import { isClosed, type ShownState, shownState } from '../../parts/marks/shown-state'
import type { SecondLook } from '../../reviews/second-looks'
import type { Filters } from './filter/filters'

/** A row of the inbox. */
export interface Entry {
  readonly item: Omit<ReviewListItemView, 'waitsFor'>
  readonly state: ShownState
  /** Beside the state: `1 of 2`. */
  readonly number: string | undefined
  /** What it waits for, or what became of it. */
  readonly todo: string
  /** Somebody has to do something about it. */
  readonly open: boolean
}

export interface Group {
  readonly id: string
  readonly label: string | undefined
  readonly hint?: string
  readonly icon?: IconName
  readonly entries: readonly Entry[]
}

export function toEntry(item: ReviewListItemView, look?: SecondLook): Entry {
  if (look !== undefined && item.state === 'Applied') return toLookEntry({ ...look, item })
  const state = shownState(item.state, { schedule: item.schedule })
  const minimum = item.waitsFor.find(({ name }) => name === 'minimum')
  const open = !isClosed(state)
  const number = minimum && item.state !== 'Draft' ? `${minimum.given} of ${minimum.approvals}` : undefined
  return { item, state, number, todo: todoOf(item, state), open }
}

export function toLookEntry({ item, applied }: SecondLook): Entry {
  const minimum = applied?.missing.find(({ name }) => name === 'minimum') ?? applied?.missing[0]
  const by = applied === null ? 'applied already' : `applied by ${applied.by}`
  const approvals = minimum === undefined ? '' : ` with ${minimum.given} of ${minimum.approvals} approvals`
  return { item, state: 'Second look needed', number: undefined, todo: `${by}${approvals}`, open: true }
}

function todoOf(item: ReviewListItemView, state: ShownState): string {
  const { schedule } = item
  if (state === 'Draft') return 'only you can see it'
  if (schedule !== undefined && 'reason' in schedule) return schedule.reason
  if (state === 'Scheduled' && schedule !== undefined) {
    return `${times.dayAndTime(schedule.scheduledAt)}, in ${times.until(schedule.scheduledAt)}`
  }
  const missing = missingOf(item)
  if (missing !== '') return missing
  return state === 'Approved' ? 'not applied yet' : times.dayAndTime(item.stateSince)
}

/** `payments owners missing`, else `1 approval missing`. */
function missingOf({ waitsFor }: ReviewListItemView): string {
  const rules = waitsFor.filter(({ name }) => name !== 'minimum').map(({ name }) => name)
  if (rules.length > 0) return `${rules.join(', ')} missing`
  const [minimum] = waitsFor
  if (minimum === undefined) return ''
  const count = minimum.approvals - minimum.given
  return count === 1 ? '1 approval missing' : `${count} approvals missing`
}

/** The rows as a tab shows them: by what there is to do, or in one list. */
export function groupEntries(
  { tab, state }: Pick<Filters, 'tab' | 'state'>,
  entries: readonly Entry[],
): readonly Group[] {
  if (tab === 'all') return [{ id: 'all', label: undefined, entries }]
  if (tab === 'mine') {
    // Closed ones are only shown to who asks for them.
    const shown = entries.filter(({ open }) => open || state !== undefined)
    return [{ id: 'mine', label: undefined, entries: shown.sort(byStuck) }]
  }
  const groups: readonly Group[] = [
    { id: 'review', label: 'To review', icon: 'review', entries: entries.filter(({ state }) => state === 'In review') },
    {
      id: 'apply',
      label: 'To apply',
      hint: 'Approved, and nothing has happened yet',
      icon: 'approved',
      entries: entries.filter(({ state }) => state !== 'In review' && state !== 'Second look needed'),
    },
    {
      id: 'look',
      label: 'Second look',
      hint: 'Live already, without its approvals',
      icon: 'bolt',
      entries: entries.filter(({ state }) => state === 'Second look needed'),
    },
  ]
  return groups
    .map((group) => ({ ...group, entries: [...group.entries].sort(byUrgency) }))
    .filter((group) => group.entries.length > 0)
}

/** Production first, then what waits longest. */
function byUrgency(a: Entry, b: Entry): number {
  const [first, second] = [a, b].map(({ item }) => (isProduction(item.environment) ? 0 : 1))
  return (first ?? 0) - (second ?? 0) || a.item.stateSince.localeCompare(b.item.stateSince)
}

const stuck: readonly ShownState[] = [
  'Schedule failed',
  'Schedule suspended',
  'Approved',
  'In review',
  'Scheduled',
  'Draft',
]

function byStuck(a: Entry, b: Entry): number {
  return stuck.indexOf(a.state) - stuck.indexOf(b.state) || b.item.stateSince.localeCompare(a.item.stateSince)
}

/** The filters for rows that are not found by the list of the API. */
export function matches({ item }: Entry, { project, environment, state, query }: Filters): boolean {
  if (project !== undefined && item.project !== project) return false
  if (environment !== undefined && item.environment !== environment) return false
  if (state !== undefined && item.state !== state) return false
  if (query === undefined) return true
  const text = query.toLowerCase()
  if (text.replace(/^#/, '') === String(item.id)) return true
  return [item.title, ...item.features, ...item.segments].some((one) => one.toLowerCase().includes(text))
}
