import { type ChangeItem, type TargetItem, toTargets } from '../../../../words/content/items'
import { isObject, isSame, type Json, objectOf } from '../../../../words/json'

interface Inverse {
  readonly action: string
  readonly feature?: string | null
  readonly payload: Json
}

/** The changes that take others back, the last one first, each against what the one that it takes back has made. */
export function toInverses(inverses: readonly Inverse[], applied: readonly ChangeItem[]): readonly TargetItem[] {
  const left = [...applied]
  return inverses.flatMap(({ action, feature = null, payload }, index) => {
    const at = left.findLastIndex((made) => made.feature === feature && undoes(action, payload, made))
    const snapshot = left.splice(at, at < 0 ? 0 : 1)[0]?.after
    const stored = { id: index, action, payload: snapshot && isObject(payload) ? { ...payload, snapshot } : payload }
    return toTargets([], {
      features: feature === null ? [] : [{ name: feature, changes: [stored] }],
      segments: feature === null ? [stored] : [],
    })
  })
}

function undoes(action: string, payload: Json, made: ChangeItem): boolean {
  // Only the store knows which id it gave to what was added.
  if (action === 'deleteStrategy') return made.action === 'addStrategy'
  return made.action === action && isSame(idOf(made.payload), idOf(payload))
}

const idOf = (payload: Json): Json => objectOf(payload).id ?? null
