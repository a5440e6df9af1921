import type { ChangeRequestPlace } from '../../../../client'
import type { ReviewView } from '../../../../generated'
import { useQuery } from '../../core/api/query'
import { client } from '../../core/api/session'
import { offeredStep } from './review'

/** Whether it can be reverted, also a part of it if other changes are irreversible, and in place of the viewer's open request. */
export function useCanRevert(place: ChangeRequestPlace, review: ReviewView): boolean {
  const step = offeredStep(review, 'revert')
  const codes = new Set(step?.missing.map(({ code }) => code))
  codes.delete('other-open-change-request')
  const isPartial = codes.delete('irreversible')
  const preview = useRevertPreview(place, isPartial && codes.size === 0)
  return step !== undefined && codes.size === 0 && (!isPartial || (preview.data?.changes.length ?? 0) > 0)
}

export const useRevertPreview = (place: ChangeRequestPlace, isRead = true) =>
  useQuery(['revert', place.project, place.id], isRead ? (options) => client.revertPreview(place, options) : undefined)
