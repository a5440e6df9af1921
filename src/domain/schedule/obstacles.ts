import type { Change, ChangeRequest, Scheduling } from '../change-request'
import { segmentId } from '../segment-id'
import { allMissingFor, type FactsOf } from '../steps/steps'

/** What a schedule becomes that cannot be carried out. */
export interface Obstacle {
  readonly status: 'failed' | 'suspended'
  /** For people: why. */
  readonly reason: string
}

/** What is known about a scheduled change request now. */
type ScheduledFacts = FactsOf<'applyScheduled'>

/** Why it is not applied now that it is time; undefined when it may be. A conflict decides first (contract 6.5, extensions 2). */
export function obstacleTo(current: ChangeRequest, facts: ScheduledFacts): Obstacle | undefined {
  const missing = allMissingFor('applyScheduled', current, facts, {})
  if (missing.some(({ code }) => code === 'conflict')) return { status: 'failed', reason: 'conflicts' }
  return suspended([...changedTargets(current, facts.targets), ...missing.map(({ message }) => message)])
}

/** Why it will not be applied when it is time, as far as that shows before. */
export function foreseenObstacle(current: ChangeRequest, facts: ScheduledFacts): Obstacle | undefined {
  const missing = allMissingFor('applyScheduled', current, facts, {}).map(({ message }) => message)
  return suspended([...missing, ...changedTargets(current, facts.targets)])
}

/** Longer reasons name the first of several and how many there are. */
const mostInReason = 3

function suspended(reasons: readonly string[]): Obstacle | undefined {
  if (reasons.length === 0) return undefined
  const more = reasons.length - mostInReason
  const reason = reasons.slice(0, mostInReason).join(' ') + (more > 0 ? ` And ${more} more.` : '')
  return { status: 'suspended', reason }
}

/** One sentence for each change whose target is not what it was when it was scheduled. */
function changedTargets({ changes, scheduling }: ChangeRequest, present: Scheduling['targets']): string[] {
  const approved = scheduling?.targets ?? {}
  const differs = ({ id }: Change) =>
    approved[id] !== undefined && present[id] !== undefined && approved[id] !== present[id]
  return changes.filter(differs).map((change) => `The target of ${describe(change)} was edited after it was scheduled.`)
}

function describe(change: Change): string {
  const about = change.feature === null ? `segment ${segmentId(change)}` : change.feature
  return `change ${change.id} (${change.action} of ${about})`
}

const units = [
  ['day', 24 * 60 * 60_000],
  ['hour', 60 * 60_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const

/** The reason of a suspension: nothing ran when it was time, nor for long after it. */
export function missedBy(lateMs: number): Obstacle {
  const [unit, ms] = units.find(([, length]) => lateMs >= length) ?? units[3]
  const count = Math.floor(lateMs / ms)
  return { status: 'suspended', reason: `missed by ${count} ${unit}${count === 1 ? '' : 's'}` }
}

/** The reason of a suspension: nobody is there any more in whose name it could run. */
export function personGone({ scheduling }: ChangeRequest): Obstacle {
  const name = scheduling?.by.person.username ?? 'a user'
  return { status: 'suspended', reason: `The user who scheduled it no longer exists: ${name}.` }
}
