import type { FreezeView, ReviewListItemView } from '../../../../generated'
import { percentAt, type TimeSpan } from '../../core/tools/moments'
import * as times from '../../core/tools/times'
import { type ShownState, shownState } from '../../parts/marks/state'
import { freezesAt, matchingFreezes } from '../../reviews/freezes'
import { plainText, type Words } from '../../words/spans'

export interface EnvironmentPlace {
  readonly project: string
  readonly environment: string
}

export const placeKey = ({ project, environment }: EnvironmentPlace): string => `${project}/${environment}`

/** A scheduled change request. */
export interface Entry {
  readonly row: Omit<ReviewListItemView, 'schedule'>
  readonly at: number
  readonly state: ShownState
  /** When it runs, or why it does not. */
  readonly note: Words
}

/** A freeze while the time line shows it. */
export interface FrozenTime {
  readonly freeze: FreezeView
  readonly from: number
  /** Infinity without an end yet. */
  readonly until: number
}

/** An environment of a project on the screen. */
export interface Lane extends EnvironmentPlace {
  readonly key: string
  /** By time. */
  readonly entries: readonly Entry[]
  readonly freezes: readonly FrozenTime[]
}

/**
 * What is shown of each environment, which both the time line and the list render.
 *
 * @param places environments that are shown without a schedule, too, if they have freezes
 * @param freezes by {@link placeKey}
 */
export function toLanes(
  rows: readonly ReviewListItemView[],
  places: readonly EnvironmentPlace[],
  freezes: ReadonlyMap<string, readonly FreezeView[]>,
  { from, to }: TimeSpan,
  now: number,
): readonly Lane[] {
  const keys = new Map([...places, ...rows].map((one) => [placeKey(one), one]))
  return [...keys]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, { project, environment }]) => {
      const own = freezes.get(key) ?? []
      return {
        key,
        project,
        environment,
        entries: toEntries(
          rows.filter((row) => placeKey(row) === key),
          own,
          now,
        ),
        freezes: own
          .map((freeze) => ({
            freeze,
            from: Date.parse(freeze.from),
            until: freeze.until === null ? Number.POSITIVE_INFINITY : Date.parse(freeze.until),
          }))
          .filter((one) => one.from < to && one.until > from),
      }
    })
    .filter(({ entries, freezes }) => entries.length + freezes.length > 0)
}

function toEntries(rows: readonly ReviewListItemView[], freezes: readonly FreezeView[], now: number): readonly Entry[] {
  return rows
    .flatMap(({ schedule, ...row }) => (schedule === undefined ? [] : toEntry(row, schedule, freezes, now)))
    .sort((one, other) => one.at - other.at || one.row.id - other.row.id)
}

function toEntry(
  row: Entry['row'],
  schedule: NonNullable<ReviewListItemView['schedule']>,
  freezes: readonly FreezeView[],
  now: number,
): Entry {
  const at = Date.parse(schedule.scheduledAt)
  const { held, needsAcknowledgement: afterReview } = row
  const state = shownState(row.state, { schedule, held, afterReview })
  const isPending = row.state === 'Scheduled' && schedule.status === 'pending'
  return {
    row,
    at,
    state,
    note: 'reason' in schedule ? [plainText(schedule.reason)] : isPending ? noteOf(row, at, freezes, now) : [],
  }
}

/** What will become of a schedule that is pending. */
function noteOf(
  { held, features, segments }: Entry['row'],
  at: number,
  freezes: readonly FreezeView[],
  now: number,
): Words {
  if (held !== undefined) return ['by the freeze “', plainText(held), '”']
  if (at <= now) return ['due now']
  // The list has the names of segments, and freezes their ids.
  const content = { features: features.map((name) => ({ name })), segments: segments.map(() => ({ id: 0 })) }
  const [freeze] = freezesAt(matchingFreezes(freezes, content), new Date(at))
  if (freeze === undefined) return [`in ${times.until(at, now)}`]
  return ['The freeze “', plainText(freeze.name), `” will ${freeze.scheduled} it.`]
}

/** Where the mark of an entry is: its left edge in percent, and its row. */
export interface Position {
  readonly entry: Entry
  readonly left: number
  readonly row: number
}

/** How wide a mark is with its label, in percent. */
const markWidth = 6

/** More rows are no overview: the list has what the time line leaves out. */
const maxRows = 8

/**
 * Where the marks are: one below the other where they would overlap. The first follower of an entry is in its row, which no other
 * entry gets in between.
 */
export function positionsOf(entries: readonly Entry[], span: TimeSpan): readonly Position[] {
  const rows: { end: number; keeper: number | undefined }[] = []
  const placed = new Map<number, Position>()
  const followed = new Set(entries.map(({ row: { follows } }) => follows))
  for (const entry of entries) {
    const left = percentAt(span, entry.at)
    const { id, follows } = entry.row
    const isFree = (keeper?: number) => (row: { end: number; keeper: number | undefined }) =>
      row.keeper === keeper && row.end <= left
    const own = follows === undefined ? -1 : rows.findIndex(isFree(follows))
    const row = [own, rows.findIndex(isFree()), rows.length].find((index) => index >= 0) ?? 0
    if (row >= maxRows) continue
    rows[row] = { end: left + markWidth, keeper: followed.has(id) ? id : undefined }
    placed.set(id, { entry, left, row })
  }
  return [...placed.values()]
}
