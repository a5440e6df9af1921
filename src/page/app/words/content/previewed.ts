import type { PreviewView, SubmittedChange } from '../../../../generated'
import type { SegmentNames } from '../fields/labels'
import { objectOf } from '../json'
import { type TargetItem, toTargets } from './items'

/** The flags and segments that changes would alter, as the preview of these changes describes them. */
export function toPreviewed(
  { changes, implied }: Pick<PreviewView, 'changes' | 'implied'>,
  sent: readonly SubmittedChange[],
  names: SegmentNames,
): readonly TargetItem[] {
  const proposed = sent.map((change, id) => ({ id, action: change.action, payload: objectOf(change).payload }))
  const ofFlag = (name: string | null) => proposed.filter(({ id }) => changes[id]?.feature === name)
  const flags = new Set(changes.flatMap(({ feature }) => feature ?? []))
  const features = [...flags].map((name) => {
    const defaultChange = implied.find(({ feature }) => feature === name)
    return { name, changes: ofFlag(name), ...(defaultChange && { defaultChange }) }
  })
  const reviewed = changes.map((change) => ({ ...change, id: change.index }))
  return toTargets(reviewed, { features, segments: ofFlag(null) }, names)
}
