import { definitionOf } from '../actions/table'
import type { ChangeRequest, JsonValue, NewChange } from '../change-request'
import { inApplyOrder } from '../flags/apply-order'
import type { Hash } from '../flags/base'
import { isSame, ofPart, within } from './canonical'

export function restoresOf(inverses: readonly NewChange[], hash: Hash): readonly string[] {
  return inverses.map((change) => hashOfChange(change, hash))
}

/**
 * Whether a revert still restores what it reverts (contract 17): for each inverse that it was created with, it has an equal
 * change, and no other change alters the same afterwards. Further changes of other targets do not matter.
 */
export function isRestoring({ changes, restores }: Pick<ChangeRequest, 'changes' | 'restores'>, hash: Hash): boolean {
  // A revert of an earlier version does not have them.
  if (restores === undefined) return true
  const left = [...restores]
  // Without an `updateEnabled` that a later one replaces.
  const planned = inApplyOrder(changes, new Map()).map((change) => {
    const index = left.indexOf(hashOfChange(change, hash))
    if (index !== -1) left.splice(index, 1)
    return { change, isInverse: index !== -1 }
  })
  if (left.length > 0) return false
  return !planned.some(
    ({ change, isInverse }, index) =>
      isInverse && planned.slice(index + 1).some((later) => !later.isInverse && undoes(later.change, change)),
  )
}

/** A default counts as sent if it is sent: an update with an empty list clears it, and one without the list keeps it. */
function hashOfChange(change: NewChange, hash: Hash): string {
  const { action, feature, payload } = change
  const sent = definitionOf(change).added === undefined ? Object.keys(propertiesOf(payload)).sort() : []
  return hash({ action, feature, payload: hash(payload), sent })
}

/** Whether the change deletes the same target, or sets something of it that the earlier one set to another value. */
function undoes(later: NewChange, earlier: NewChange): boolean {
  const target = targetOf(earlier)
  if (target === undefined || target !== targetOf(later)) return false
  const [before, after] = [earlier.payload, later.payload]
  const [set, reset] = [propertiesOf(before), propertiesOf(after)]
  // A deletion without a parent is of all parents.
  const { feature = set.feature } = reset
  if (definitionOf(later).target === 'parents') return feature === set.feature
  if (later.action !== earlier.action) return true
  if (Array.isArray(before)) return !isSame(before, after)
  return Object.keys(set).some(
    (name) => Object.hasOwn(reset, name) && !isSame(set[name], reset[name], within(ofPart, name)),
  )
}

/** What the change alters; undefined for something that it adds, which no other change of the request can name. */
function targetOf(change: NewChange): string | undefined {
  const { target, added } = definitionOf(change)
  return added === undefined ? `${change.feature} ${target} ${propertiesOf(change.payload).id}` : undefined
}

function propertiesOf(payload: JsonValue): { readonly [property: string]: JsonValue } {
  return payload as { readonly [property: string]: JsonValue }
}
