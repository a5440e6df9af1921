import type { ReviewView } from '../../../generated'
import { followersWords } from '../words/follows'
import { counted } from '../words/numbers'

interface ReviewState extends Pick<ReviewView, 'followedBy'> {
  readonly state: string
  readonly presetSchedule: { readonly withdrawn: unknown } | null
  readonly changeRequest: { readonly approvals: readonly unknown[] }
}

/** What an edit voids; empty where it voids nothing. */
export function voidedBy(review: ReviewState): string {
  const { state, presetSchedule, changeRequest } = review
  const given = changeRequest.approvals.length
  return [
    given > 0 && `Voids ${counted(given, 'approval')}.`,
    state === 'Approved' && 'Returns it to review.',
    presetSchedule?.withdrawn === null && 'Withdraws its schedule.',
    followersWords(review),
  ]
    .filter(Boolean)
    .join(' ')
}
