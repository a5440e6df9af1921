import { matchesName } from '../../../../../domain/content/name-pattern'
import type { FreezeView } from '../../../../../generated'

/** The flags and segments of a change request. */
interface Targets {
  readonly features: readonly { readonly name: string }[]
  readonly segments: readonly object[]
}

/** The freezes that match a change request of their environment. */
export function matchingFreezes(freezes: readonly FreezeView[], targets: Targets): readonly FreezeView[] {
  return freezes.filter(({ when }) => {
    const { features, segments } = when ?? {}
    if (features === undefined && segments === undefined) return true
    const ids = targets.segments.flatMap((one) => ('id' in one && typeof one.id === 'number' ? one.id : []))
    return (
      targets.features.some(({ name }) => features?.some((pattern) => matchesName(pattern, name))) ||
      ids.some((id) => segments === true || segments?.includes(id))
    )
  })
}

/** The freezes that are in force at the time. */
export function freezesAt(freezes: readonly FreezeView[], moment: Date): readonly FreezeView[] {
  const at = moment.getTime()
  return freezes.filter(({ from, until }) => Date.parse(from) <= at && (until === null || at < Date.parse(until)))
}
