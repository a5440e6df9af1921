import type { ChangeRequest, Scheduling } from '../change-request'
import { instantOf, lastInstant } from '../instants'
import { changeSubject } from './grouping'

/** The predecessor of a schedule, and how the two are related. */
export interface Predecessor {
  /** The id in the request, or the stored one. */
  readonly id: number
  /** Undefined if the project has no such change request. */
  readonly changeRequest: ChangeRequest | undefined
  /** The number of schedules in a row that this one would be part of; infinite if it would follow itself. */
  readonly inRow: number
  /** What was changed after it was applied, one sentence for each change; empty before. */
  readonly changedSince: readonly string[]
}

export const maxInRow = 10

/** How a schedule follows another one, as it is stored. */
export type Relation = Pick<Scheduling, 'follows' | 'minutesAfter' | 'predecessorAppliedAt'>

/** The id of the change request that its schedule, or its preset schedule, follows. */
export function predecessorIn({ scheduling, presetSchedule }: ChangeRequest): number | undefined {
  return scheduling?.follows ?? presetSchedule?.after
}

/** When it is or was applied; undefined if that will not happen without a user. */
export function startOf({ state, schedule, stateTimestamps }: ChangeRequest): string | undefined {
  if (state === 'Applied') return stateTimestamps.Applied
  return state === 'Scheduled' && schedule?.status === 'pending' ? schedule.scheduledAt : undefined
}

export function timeAfter(start: string, minutes: number): string {
  return new Date(Math.min(instantOf(start) + minutes * 60_000, lastInstant)).toISOString()
}

/** What the current state of its predecessor means for a schedule that waits. */
export type Following =
  | { readonly waits: true; readonly scheduledAt: string }
  | { readonly waits: false; readonly appliedAt: string }
  | Stopped

interface Stopped {
  readonly status: 'suspended'
  readonly reason: string
}

export function followingOf(current: ChangeRequest, predecessor: ChangeRequest | undefined): Following {
  const { schedule, scheduling } = current
  const start = predecessor && startOf(predecessor)
  if (schedule === null || predecessor === undefined || start === undefined)
    return stoppedBy(current, endOf(predecessor))
  if (predecessor.state === 'Applied') return { waits: false, appliedAt: start }
  const { minutesAfter } = scheduling ?? {}
  if (minutesAfter !== undefined) return { waits: true, scheduledAt: timeAfter(start, minutesAfter) }
  const isLater = instantOf(start) >= instantOf(schedule.scheduledAt)
  return isLater ? stoppedBy(current, endOf(predecessor)) : { waits: true, scheduledAt: schedule.scheduledAt }
}

export function stoppedBy({ scheduling }: ChangeRequest, how: string): Stopped {
  return { status: 'suspended', reason: `It follows change request #${scheduling?.follows}, which ${how}.` }
}

function endOf(predecessor: ChangeRequest | undefined): string {
  switch (predecessor?.state) {
    case undefined:
      return 'no longer exists'
    case 'Rejected':
      return 'was rejected'
    case 'Cancelled':
      return 'was cancelled'
    case 'Scheduled':
      return endOfSchedule[predecessor.schedule?.status ?? 'suspended']
    default:
      return 'went back to review'
  }
}

const endOfSchedule = {
  failed: 'failed',
  suspended: 'was suspended',
  pending: 'is now scheduled for a later time',
} as const

/** Why a schedule for this time cannot follow that change request; undefined if it can. Null: it has no time of its own. */
export function cannotFollow(current: ChangeRequest, predecessor: Predecessor, at: string | null): string | undefined {
  const { id, changeRequest: other, inRow } = predecessor
  if (other === undefined) return `The project has no change request #${id}.`
  const start = startOf(other)
  if (other.state !== 'Scheduled' || start === undefined) {
    const { state, schedule } = other
    return `Change request #${id} is ${state === 'Scheduled' ? `scheduled, but ${schedule?.status}` : state}. Follow one whose schedule is pending.`
  }
  if (other.environment !== current.environment) return `Change request #${id} is for another environment.`
  const subjects = current.changes.map(changeSubject)
  if (!other.changes.some((change) => subjects.includes(changeSubject(change)))) {
    return `Change request #${id} changes none of the same flags and segments.`
  }
  if (inRow === Number.POSITIVE_INFINITY) return `Change request #${id} itself follows this one.`
  if (inRow > maxInRow) return `At most ${maxInRow} schedules can follow each other in a row.`
  if (at !== null && instantOf(start) >= instantOf(at)) {
    return `Change request #${id} is scheduled for ${start}. Choose a later time.`
  }
  return undefined
}
