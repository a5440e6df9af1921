import type { Change, ChangeRequest, Scheduling } from '../change-request'
import { phraseOf } from '../content/phrases'
import type { PlacedFreeze } from '../freezes/freeze'
import type { Facts } from '../steps/facts'
import { allMissingFor, type RuleFactsOf } from '../steps/steps'

export interface Obstacle {
  readonly status: 'failed' | 'suspended'
  readonly reason: string
  /** The changes whose targets were changed; absent for none. */
  readonly changed?: readonly Change[]
}

type ScheduledFacts = RuleFactsOf<'applyScheduled'> & Pick<Facts, 'targets'>

/** Why it cannot be applied when it is due; undefined if it can. A conflict takes precedence (contract 6.5 and 13). */
export function obstacleTo(current: ChangeRequest, facts: ScheduledFacts): Obstacle | undefined {
  const missing = allMissingFor('applyScheduled', current, facts, {})
  if (missing.some(({ code }) => code === 'conflict')) return { status: 'failed', reason: 'conflicts' }
  const changed = changedTargets(current, facts.targets)
  return suspended([...changed.map(changedSentence), ...missing.map(({ message }) => message)], changed)
}

/** Why it will not be applied when it is due, if that is already known. A check may pass until then. */
export function earlyObstacle(current: ChangeRequest, facts: ScheduledFacts): Obstacle | undefined {
  const missing = allMissingFor('applyScheduled', current, facts, {}).filter(({ code }) => code !== 'missing-check')
  const changed = changedTargets(current, facts.targets)
  return suspended([...missing.map(({ message }) => message), ...changed.map(changedSentence)], changed)
}

const maxInReason = 3

function suspended(reasons: readonly string[], changed: readonly Change[]): Obstacle | undefined {
  if (reasons.length === 0) return undefined
  return { status: 'suspended', reason: reasonOf(reasons), ...(changed.length > 0 && { changed }) }
}

/** The same, if another change request changed a target: the two schedules could have been planned in a row. */
export function withLinkHint({ status, reason }: Obstacle, changedBy: number): Obstacle {
  const hint = `Change request #${changedBy} changed it. A schedule can follow another one: send its id as after.`
  return { status, reason: `${reason} ${hint}` }
}

export function reasonOf(sentences: readonly string[]): string {
  const more = sentences.length - maxInReason
  return sentences.slice(0, maxInReason).join(' ') + (more > 0 ? ` And ${more} more.` : '')
}

/** The changes whose targets have changed since it was scheduled. */
function changedTargets({ changes, scheduling }: ChangeRequest, current: Scheduling['targets']): Change[] {
  const approved = scheduling?.targets ?? {}
  const differs = ({ id }: Change) =>
    approved[id] !== undefined && current[id] !== undefined && approved[id] !== current[id]
  return changes.filter(differs)
}

function changedSentence(change: Change): string {
  return `${phraseOf(change)}: its target was edited after it was scheduled.`
}

const units = [
  ['day', 24 * 60 * 60_000],
  ['hour', 60 * 60_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const

/** The reason for a suspension: no scheduler was running when it was due, nor within the grace period. */
export function missedBy(lateMs: number): Obstacle {
  const [unit, ms] = units.find(([, length]) => lateMs >= length) ?? units[3]
  const count = Math.floor(lateMs / ms)
  return { status: 'suspended', reason: `missed by ${count} ${unit}${count === 1 ? '' : 's'}` }
}

export function frozenBy({ name, environment, reason }: PlacedFreeze): Obstacle {
  const what = `The freeze "${name}" in ${environment} was in force`
  return { status: 'suspended', reason: `${what} when it was due (${reason}).` }
}

export function userDeleted({ scheduling }: ChangeRequest): Obstacle {
  const name = scheduling?.by.person.username ?? 'a user'
  return { status: 'suspended', reason: `The user who scheduled it no longer exists: ${name}.` }
}
