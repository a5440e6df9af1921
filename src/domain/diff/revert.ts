import { definitionOf, unseenIn } from '../actions/table'
import type { AppliedDefault, Change, ChangeRequest, JsonValue, NewChange } from '../change-request'
import { phraseOf } from '../content/phrases'
import type { FlagState } from '../flag-state'
import { canonical } from './canonical'
import { withSnapshots, withTraces } from './snapshots'

/** The changes that revert an applied or scheduled change request, and the changes that cannot be reverted (contract 17). */
export interface Revert {
  /** In the order in which they must be applied. */
  readonly changes: readonly RestoringChange[]
  readonly irreversible: readonly Irreversible[]
}

export type RestoringChange = NewChange & Pick<Change, 'restores'>

export interface Irreversible extends Pick<NewChange, 'action' | 'feature'> {
  /** Null for an implied change. */
  readonly id: number | null
  /** What the change did, in a sentence. */
  readonly phrase: string
}

type Applied = Change | AppliedDefault

/** The inverse of each change, the last one first. */
export function revertOf(
  { changes, defaultChanges = [] }: Pick<ChangeRequest, 'changes' | 'defaultChanges'>,
  isPossible: (change: NewChange) => boolean,
): Revert {
  const applied: readonly Applied[] = [...changes, ...defaultChanges]
  const deletions = applied.filter(({ action }) => action === 'deleteStrategy')
  const deleted = new Map(deletions.map((change) => [strategyOf(change), change]))
  const reverted: RestoringChange[] = []
  const contents = new Set<string>()
  const irreversible: Irreversible[] = []
  for (const change of applied.toReversed()) {
    const inverses = inversesOf(change)
    if (inverses?.every(isPossible) !== true) {
      const { action, feature } = change
      irreversible.push({ id: 'id' in change ? change.id : null, action, feature, phrase: phraseOf(change) })
      continue
    }
    // Two changes that delete the same strategy restore it once. Two strategies with equal content are both restored.
    const isRestored = change.action === 'deleteStrategy'
    if (isRestored && deleted.get(strategyOf(change)) !== change) continue
    for (const inverse of inverses.flatMap((one) => withoutDeleted(one, deleted))) {
      const { action, feature, payload } = inverse
      const content = JSON.stringify(canonical({ action, feature, payload }))
      if (isRestored || !contents.has(content)) reverted.push(inverse)
      contents.add(content)
    }
  }
  return { changes: reverted, irreversible: irreversible.reverse() }
}

/**
 * The same before it is applied: to the current flags. What only the apply can know cannot be reverted yet: the ids of what it adds,
 * and the strategies that it activates.
 */
export function revertOfScheduled(
  current: ChangeRequest,
  flags: FlagState | undefined,
  isPossible: (change: NewChange) => boolean,
): Revert {
  const { changes, ...foreseen } = withTraces(withSnapshots(current, flags), flags, [])
  const known = changes.map(({ activated = [], ...change }): Change => {
    const { snapshot: _, ...unknown } = change
    return activated.length > 0 ? unknown : change
  })
  return revertOf({ ...foreseen, changes: known }, isPossible)
}

function inversesOf(change: Applied): readonly RestoringChange[] | undefined {
  const { feature, payload, snapshot } = change
  // What the gateway does not return cannot be restored.
  if (Object.keys(unseenIn(change)).length > 0) return undefined
  const restores = snapshot === undefined ? {} : { restores: snapshot }
  return definitionOf(change)
    .inverse?.(payload, change)
    ?.map((one) => ({ ...one, feature, ...restores }))
}

/** A strategy that the change request also deleted is restored as it was before all of its changes. */
function withoutDeleted(inverse: RestoringChange, deleted: ReadonlyMap<string, Applied>): RestoringChange[] {
  const { action, feature, payload } = inverse
  if (action === 'updateStrategy') return deleted.has(strategyOf(inverse)) ? [] : [inverse]
  if (action !== 'reorderStrategy') return [inverse]
  const left = (payload as JsonValue[]).filter((one) => !deleted.has(strategyOf({ feature, payload: one })))
  return left.length === 0 ? [] : [{ ...inverse, payload: left }]
}

function strategyOf({ feature, payload }: Pick<NewChange, 'feature' | 'payload'>): string {
  return `${feature} ${(payload as { readonly id: string }).id}`
}
