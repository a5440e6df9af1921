import { counted } from '../words/numbers'

interface Standing {
  readonly state: string
  readonly scheduledAhead: { readonly withdrawn: unknown } | null
  readonly changeRequest: { readonly approvals: readonly unknown[] }
}

/** What an edit voids, in sentences; empty where it voids nothing. */
export function voidedBy({ state, scheduledAhead, changeRequest: { approvals } }: Standing): string {
  const given = approvals.length
  return [
    given > 0 && `The ${given === 1 ? '1 approval given becomes' : `${counted(given, 'approval')} given become`} void.`,
    state === 'Approved' && 'It goes back to review.',
    scheduledAhead !== null && scheduledAhead.withdrawn === null && 'Its schedule is withdrawn.',
  ]
    .filter((one) => one !== false)
    .join(' ')
}
