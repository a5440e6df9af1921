import type { FieldValue } from '../../../../domain/diff/canonical'
import { compareFields } from '../../../../domain/diff/fields'
import type { Json } from '../json'
import type { FieldDiff } from './row'

/** The fields in which a part of a target differs before and after, as a review lists them. */
export function fieldsBetween(before: Json, after: Json): readonly FieldDiff[] {
  const [old, next] = [before ?? {}, after ?? {}] as [FieldValue, FieldValue]
  return compareFields(old, old, next).map(({ path, current = null, proposed = null }) => {
    return { path, base: current, current, proposed, overwrites: false }
  })
}
