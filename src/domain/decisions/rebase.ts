import type { TargetPart } from '../actions/action'
import { definitionOf, segmentId, targetPart } from '../actions/table'
import type { Change, ChangeRequest, JsonValue } from '../change-request'
import { withAuthor } from '../content/authors'
import { type ChangeLimits, excessOfChanges } from '../content/size'
import { isSame } from '../diff/canonical'
import { type ComparedField, mergeFields } from '../diff/fields'
import { overwriteSentences, overwrittenBy } from '../diff/overwrites'
import { partAfter } from '../diff/state-after'
import { changeEvent } from '../events/events'
import type { FlagState } from '../flag-state'
import { baseOf, type Hash } from '../flags/base'
import { requireStep } from '../steps/steps'
import { asUnreviewed, findChange, stored } from './changes'
import { type Decision, enterState, ownMinimum, type StepCommand, withMinimum } from './decision'
import { withoutSchedule } from './schedule'

/** How to resolve a field that both sides edited: the proposed value, the current one, or discard the change. */
export type Take = 'ours' | 'theirs' | 'drop'

export interface Takes {
  /** For the changes with these ids. */
  readonly named: ReadonlyMap<number, Take>
  /** For all other changes; null if `named` must decide on every overwrite. */
  readonly others: Take | null
}

export interface RebaseCommand extends StepCommand<'rebase'> {
  readonly takes: Takes
  readonly hash: Hash
  readonly limits: ChangeLimits
  readonly changeIds: readonly number[]
}

/** Rebases the changes onto the current flags. Approvals are void: they were given for other content (contract 16). */
export function rebase(current: ChangeRequest, command: RebaseCommand): Decision {
  const { by, now, facts, takes, limits } = command
  const { flags } = facts
  for (const id of takes.named.keys()) findChange(current, id)
  const outcomes = current.changes.map((change) => ({ change, ...toOutcome(change, flags, takes) }))
  const kept = outcomes.filter(({ payload }) => payload !== null)
  const dropped = outcomes.filter(({ payload }) => payload === null)
  const undecided = outcomes.flatMap((outcome) => outcome.undecided)

  const rebasedFrom = rebaseEach(kept, command)
  const sorted = [...rebasedFrom.keys()].sort((one, other) => one.id - other.id)
  const excess = excessOfChanges(current.changes, sorted, limits)
  requireStep('rebase', current, facts, { excess, undecided, leavesNone: dropped.length > 0 && kept.length === 0 })

  const unscheduled = withoutSchedule(withAuthor(current, by.author))
  const voiding = { at: now, cause: 'rebase', causedBy: by.author.person } as const
  const rebased = withMinimum(asUnreviewed(unscheduled, sorted, voiding), ownMinimum(current), facts.gatedMinimum)
  const changeRequest = enterState(rebased, 'change-edited', now)
  return {
    changeRequest,
    events: [
      // Unchanged changes get an event too, because their approvals are void.
      ...sorted.map((one) => changeEvent('change-edited', changeRequest, { by, now }, one, rebasedFrom.get(one))),
      ...dropped.map(({ change }) => changeEvent('change-discarded', changeRequest, { by, now }, null, change)),
    ],
  }
}

function rebaseEach(
  kept: readonly (Pick<Outcome, 'payload'> & { readonly change: Change })[],
  { by, now, facts: { flags }, hash, changeIds }: RebaseCommand,
): ReadonlyMap<Change, Change> {
  const moved = new Set<string | number>()
  return new Map(
    kept.map(({ change, payload }, index) => {
      // Changes are applied in the order of their ids. A change after an edited one of the same flag gets a new id too.
      const subject = change.feature ?? segmentId(change)
      const edited = payload ?? change.payload
      if (edited === change.payload && !moved.has(subject)) return [withCurrentBase(change, flags, hash, now), change]
      moved.add(subject)
      const written = stored({ ...change, payload: edited }, changeIds[index], { author: by.author, now, flags, hash })
      return [{ ...written, replaces: change.id }, change]
    }),
  )
}

interface Outcome {
  /** The new payload; undefined if it does not change, null if the change is discarded. */
  readonly payload: JsonValue | null | undefined
  readonly undecided: readonly string[]
}

const unchanged: Outcome = { payload: undefined, undecided: [] }

function toOutcome(change: Change, flags: FlagState | undefined, { named, others }: Takes): Outcome {
  const own = named.get(change.id)
  if (own === 'drop') return { payload: null, undecided: [] }
  if (flags === undefined) return unchanged
  const { merged, activates } = definitionOf(change)
  // A payload with the whole target also has fields that the author did not edit. These take the current values.
  const overwritten = overwrittenBy(change, flags)
  const isActivated = ({ path }: ComparedField) => activates !== undefined && path.startsWith('/strategies')
  const conflicting = merged ? overwritten.filter((one) => one.isIntended || isActivated(one)) : overwritten
  const take = conflicting.length === 0 ? 'ours' : (own ?? others)
  if (take === 'drop') return { payload: null, undecided: [] }
  if (take === null) return { payload: undefined, undecided: overwriteSentences(change, conflicting) }
  // Such a change cannot be merged, so `theirs` discards it. Strategies cannot be activated one by one.
  if (merged === undefined || conflicting.some(isActivated))
    return take === 'theirs' ? { payload: null, undecided: [] } : unchanged
  if (overwritten.length === 0) return unchanged
  const [theirs, ours] = [targetPart(change, flags), partAfter(change, flags)]
  const part = mergeFields(change.base, theirs, ours, (current, proposed) => (take === 'theirs' ? current : proposed))
  const payload = merged(change.payload, part as NonNullable<TargetPart>)
  return isSame(payload, change.payload) ? unchanged : { payload, undecided: [] }
}

function withCurrentBase(change: Change, flags: FlagState | undefined, hash: Hash, rebasedAt: string): Change {
  const base = baseOf(change, flags, hash)
  return base.base === undefined ? change : { ...change, ...base, rebasedAt }
}
