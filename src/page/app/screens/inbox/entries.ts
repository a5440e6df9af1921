import type { ReviewListItemView } from '../../../../generated'
import * as times from '../../core/tools/times'
import type { IconName } from '../../parts/marks/icon'
import { type ShownState, shownState } from '../../parts/marks/state'
import type { Filters, TabId } from './filter/filters'

/** A row of the inbox. */
export interface Entry {
  readonly item: ReviewListItemView
  readonly state: ShownState
  /** Next to the state: `1 of 2`. */
  readonly number: string | undefined
  /** What it waits for, or what became of it. */
  readonly todo: string
  /** Why its schedule did not run. */
  readonly reason: string | undefined
}

export interface Group {
  readonly id: string
  readonly label: string | undefined
  readonly hint?: string
  readonly icon?: IconName
  readonly entries: readonly Entry[]
}

export function toEntry(item: ReviewListItemView): Entry {
  const state = shownState(item.state, {
    schedule: item.schedule,
    held: item.held,
    afterReview: item.needsAcknowledgement,
  })
  const minimum = item.waitsFor.find(({ name }) => name === 'minimum')
  const number = minimum && item.state !== 'Draft' ? `${minimum.given ?? '?'} of ${minimum.approvals}` : undefined
  const reason = item.schedule !== undefined && 'reason' in item.schedule ? item.schedule.reason : undefined
  return { item, state, number, todo: todoOf(item, state), reason }
}

function todoOf(item: ReviewListItemView, state: ShownState): string {
  const { schedule, held, endedBy, stateSince } = item
  if (state === 'Draft') return 'not submitted yet'
  if (schedule !== undefined && 'reason' in schedule) return 'nothing was applied'
  if (state === 'Schedule held') return `by the freeze “${held}”`
  if (state === 'Scheduled' && schedule !== undefined) {
    return `${times.dayAndTime(schedule.scheduledAt)}, in ${times.until(schedule.scheduledAt)}`
  }
  if (endedBy !== null) return `${times.dayAndTime(stateSince)} by ${endedBy.username ?? 'a deleted user'}`
  const missing = missingOf(item)
  if (missing !== '') return missing
  if (item.objections) return 'blocked until the objection ends'
  return state === 'Approved' ? 'not applied yet' : times.dayAndTime(stateSince)
}

/** `payments owners missing`, else `1 approval missing`. */
function missingOf({ waitsFor }: ReviewListItemView): string {
  const rules = waitsFor.filter(({ name }) => name !== 'minimum').map(({ name }) => name)
  if (rules.length > 0) return `${rules.join(', ')} missing`
  const [minimum] = waitsFor
  if (minimum === undefined) return ''
  const count = minimum.approvals - (minimum.given ?? 0)
  return count === 1 ? '1 approval missing' : `${count} approvals missing`
}

type Because = ReviewListItemView['because'][number]

/** What there is to do, in the order of the groups. */
const tasks: readonly (Omit<Group, 'entries'> & { readonly because: readonly Because[] })[] = [
  {
    id: 'acknowledge',
    label: 'To acknowledge',
    hint: 'Applied in an emergency, before the approval',
    icon: 'bolt',
    because: ['acknowledge'],
  },
  { id: 'review', label: 'To review', icon: 'review', because: ['review'] },
  {
    id: 'apply',
    label: 'To apply',
    hint: 'Approved, and nothing has happened yet',
    icon: 'approved',
    because: ['apply'],
  },
  {
    id: 'fix',
    label: 'To fix',
    hint: 'What prevents it from being applied',
    icon: 'warn',
    because: ['suspended', 'failed', 'objection', 'conflict', 'overwrite'],
  },
]

/** The rows as a tab shows them, in the order of the server: by what there is to do, or in one list. */
export function groupEntries({ tab }: Pick<Filters, 'tab'>, entries: readonly Entry[]): readonly Group[] {
  if (tab !== 'me') return [{ id: tab, label: undefined, entries }]
  return tasks
    .map((task) => ({ ...task, entries: entries.filter(({ item }) => taskOf(item) === task) }))
    .filter((group) => group.entries.length > 0)
}

const taskOf = ({ because: own }: Pick<ReviewListItemView, 'because'>) =>
  tasks.find(({ because }) => because.some((one) => own.includes(one)))

/** The rows as they are now, with those that the viewer decided as they were, and where they were on the screen. */
export function withDecided(
  tab: TabId,
  now: readonly ReviewListItemView[],
  shown: readonly ReviewListItemView[],
  decided: ReadonlyMap<number, unknown>,
): readonly ReviewListItemView[] {
  const rows = now.filter(({ id }) => !decided.has(id))
  for (const [at, row] of shown.entries()) {
    if (!decided.has(row.id)) continue
    const isBefore = (one: ReviewListItemView) => tab !== 'me' || taskOf(one) === taskOf(row)
    const before = shown.slice(0, at).findLast((one) => isBefore(one) && rows.some(({ id }) => id === one.id))
    rows.splice(rows.findIndex(({ id }) => id === before?.id) + 1, 0, row)
  }
  return rows
}
