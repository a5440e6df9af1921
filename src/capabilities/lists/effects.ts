import { namedSegment } from '../../domain/content/grouping'
import { effectsOf } from '../../domain/diff/diff'
import type { EffectView } from '../../generated'
import type { Described } from '../../kernel/view/describe'
import { segmentName } from '../../kernel/view/segments'

const maxEffects = 2

/**
 * What it does to its first flags or segments, or did to them once it is closed; null while the gateway fails. Implied changes
 * come after the others of their flag.
 */
export function toEffectViews({ changeRequest, flags, flagsFailed, segmentNames }: Described): EffectView[] | null {
  if (flagsFailed) return null
  const byTarget = new Map<string, { name: string; changes: EffectView['changes'] }>()
  for (const effect of effectsOf(changeRequest, flags)) {
    const { feature, action, before, after } = effect
    const name = feature ?? segmentName(namedSegment(effect), segmentNames)
    // A flag can have the name of a segment.
    const key = JSON.stringify([feature === null, name])
    const target = byTarget.get(key) ?? { name, changes: [] }
    byTarget.set(key, target)
    target.changes.push({ action, before, after })
  }
  return [...byTarget.values()].slice(0, maxEffects)
}
