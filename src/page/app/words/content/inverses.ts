import { isSame, type Json, objectOf } from '../json'
import { type ChangeItem, type ReviewChangeLike, type TargetItem, toTargets } from './items'

interface Inverse {
  readonly action: string
  readonly feature?: string | null
  readonly payload: Json
}

/** The changes that revert others, the last one first, each compared with the result of the change that it reverts. */
export function toInverses(inverses: readonly Inverse[], applied: readonly ChangeItem[]): readonly TargetItem[] {
  const left = [...applied]
  return inverses.flatMap(({ action, feature = null, payload }, index) => {
    const at = left.findLastIndex((made) => made.feature === feature && undoes(action, payload, made))
    const [made] = left.splice(at, at < 0 ? 0 : 1)
    const stored = { id: index, action, payload }
    const request = {
      features: feature === null ? [] : [{ name: feature, changes: [stored] }],
      segments: feature === null ? [stored] : [],
    }
    return toTargets(made ? [{ ...inverseOf(made), id: index, action }] : [], request, made?.segmentNames)
  })
}

/** From the result of the change to the values before the change request was applied. */
function inverseOf({ feature, before, after, fields }: ChangeItem): Omit<ReviewChangeLike, 'id' | 'action'> {
  const inverse = fields.map((field) => ({ ...field, current: field.proposed, proposed: field.base }))
  return { feature, before: after, after: before, fields: inverse, conflict: null }
}

function undoes(action: string, payload: Json, made: ChangeItem): boolean {
  // Only the store knows which id it gave to what was added.
  if (action === 'deleteStrategy') return made.action === 'addStrategy'
  return made.action === action && isSame(idOf(made.payload), idOf(payload))
}

const idOf = (payload: Json): Json => objectOf(payload).id ?? null
