import { matchesName } from '../../../domain/content/name-pattern'
import type { FreezeView } from '../../../generated'
import { isEnforced } from '../words/waits'

/** The flags and segments of a change request. */
interface Content {
  readonly features: readonly { readonly name: string }[]
  readonly segments: readonly object[]
}

/** The freezes that match a change request of their environment. */
export function matchingFreezes(freezes: readonly FreezeView[], content: Content): readonly FreezeView[] {
  return freezes.filter(({ when }) => {
    const { features, segments } = when ?? {}
    if (features === undefined && segments === undefined) return true
    const ids = content.segments.flatMap((one) => ('id' in one && typeof one.id === 'number' ? one.id : []))
    return (
      content.features.some(({ name }) => features?.some((pattern) => matchesName(pattern, name))) ||
      ids.some((id) => segments === true || segments?.includes(id))
    )
  })
}

/** The freezes that block at the time; those on trial do not. */
export function freezesAt(freezes: readonly FreezeView[], moment: Date): readonly FreezeView[] {
  const at = moment.getTime()
  const isInForce = ({ from, until }: FreezeView) => {
    return Date.parse(from) <= at && (until === null || at < Date.parse(until))
  }
  return freezes.filter((one) => isEnforced(one) && isInForce(one))
}
