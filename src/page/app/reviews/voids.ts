import { counted } from '../words/numbers'

interface ReviewState {
  readonly state: string
  readonly presetSchedule: { readonly withdrawn: unknown } | null
  readonly changeRequest: { readonly approvals: readonly unknown[] }
}

/** What an edit voids; empty where it voids nothing. */
export function voidedBy({ state, presetSchedule, changeRequest: { approvals } }: ReviewState): string {
  const given = approvals.length
  return [
    given > 0 && `Voids ${counted(given, 'approval')}.`,
    state === 'Approved' && 'Returns it to review.',
    presetSchedule?.withdrawn === null && 'Withdraws its schedule.',
  ]
    .filter(Boolean)
    .join(' ')
}
