import type { CheckView } from '../../../generated'

type Status = CheckView['status']

/** A required check blocks applying until it has passed. */
export function missingChecks({ checks }: { readonly checks: readonly CheckView[] }): readonly CheckView[] {
  return checks.filter(({ required, status }) => required && status !== 'passed')
}

export const statusWords = (status: Status): string => status ?? 'no report yet'

export const checkIcon = (status: Status) =>
  status === 'passed' ? 'met' : status === 'failed' ? 'stop' : status === 'pending' ? 'scheduled' : 'open'
