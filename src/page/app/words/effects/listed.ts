import type { EffectView } from '../../../../generated'
import { fieldsBetween } from '../fields/compared'
import type { JsonObject } from '../json'
import type { Words } from '../spans'
import { type EffectChange, effectWords } from './effects'

type Change = EffectView['changes'][number]

/** What a change request of a list makes different in a flag or segment. */
export const listedWords = (changes: readonly Change[]): Words => effectWords(changes.filter(hasContent).map(toEffect))

/** Without both values there is nothing to show. */
const hasContent = ({ before, after }: Change): boolean => before !== null || after !== null

function toEffect(change: Change): EffectChange {
  const { action } = change
  const [before, after] = [change.before, change.after] as [JsonObject | null, JsonObject | null]
  const fields = fieldsBetween(before, after)
  return { id: 0, action, feature: null, conflict: null, before, after, payload: after ?? {}, fields }
}
