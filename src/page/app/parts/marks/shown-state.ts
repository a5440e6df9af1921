import type { StateName } from '../../../../generated'

/** States as people see them: a schedule that will not run, and an emergency, are states of their own. */
export type ShownState = StateName | 'Schedule suspended' | 'Schedule failed' | 'Needs acknowledgement'

/** Which state a change request shows. */
export function shownState(
  state: StateName,
  { schedule, afterReview = false }: { schedule?: { status: string } | null | undefined; afterReview?: boolean } = {},
): ShownState {
  if (state === 'Scheduled' && schedule?.status === 'suspended') return 'Schedule suspended'
  if (state === 'Scheduled' && schedule?.status === 'failed') return 'Schedule failed'
  return state === 'Applied' && afterReview ? 'Needs acknowledgement' : state
}
