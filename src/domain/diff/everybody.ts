import { isUnrestricted, reachesEverybody } from '../content/reach'
import type { FeatureState, FlagState, StrategyState } from '../flag-state'
import type { ChangeDiff } from './diff'

type Answer = boolean | null

/** By change: everybody gets the flag after all changes, did not before, and this one is a cause. Null: unknown. */
export function findEndsAtEverybody(
  diffs: readonly ChangeDiff[],
  before: FlagState | undefined,
  after: FlagState | undefined,
): ReadonlyMap<number, Answer> {
  return new Map(diffs.map((diff) => [diff.id, endsAtEverybody(diff, before, after)]))
}

function endsAtEverybody(
  { feature, before, after, baseKnown }: ChangeDiff,
  flagsBefore: FlagState | undefined,
  flagsAfter: FlagState | undefined,
): Answer {
  if (feature === null) return baseKnown ? isUnrestricted(after) && !isUnrestricted(before) : null
  if (flagsBefore === undefined || flagsAfter === undefined) return null
  if (partReaches(before) === true || flagReaches(flagsBefore.features.get(feature)) === true) return false
  return combined([partReaches(after), flagReaches(flagsAfter.features.get(feature))], false)
}

/** Whether everybody gets the flag by this part of it: a switch, a milestone, or a strategy. */
function partReaches(part: ChangeDiff['after']): Answer {
  if (part === null) return false
  if (part.enabled === true) return true
  if (Array.isArray(part.strategies)) return combined(part.strategies.map(ofMilestone), true)
  return typeof part.name === 'string' ? reachesEverybody(part) : false
}

/** A flag that is on without an active strategy, or in a store without strategies, is for everybody. */
function flagReaches(flag: FeatureState | undefined): Answer {
  if (flag === undefined || flag.archived || !flag.enabled) return false
  const { strategies = [], milestoneStrategies = [] } = flag
  const active = strategies.filter(({ disabled }) => disabled !== true)
  if (active.length + milestoneStrategies.length === 0) return true
  return combined([...active.map(reachesEverybody), ...milestoneStrategies.map(ofMilestone)], true)
}

/** Only of a milestone that a change starts, it is known that it runs. */
function ofMilestone(strategy: unknown): Answer {
  const { started = false } = strategy as Partial<StrategyState>
  return reachesEverybody(strategy) && (started === true || null)
}

function combined(answers: readonly Answer[], decisive: boolean): Answer {
  if (answers.includes(decisive)) return decisive
  return answers.includes(null) ? null : !decisive
}
