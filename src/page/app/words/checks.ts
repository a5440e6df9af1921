import type { CheckView } from '../../../generated'
import { isEnforced } from './waits'

type Status = CheckView['status']

/** A required check blocks applying until it has passed; one on trial does not. */
export const isRequired = (check: Pick<CheckView, 'required' | 'mode'>): boolean => check.required && isEnforced(check)

/** @param review without `checks` if the host app has none */
export function missingChecks({ checks = [] }: { readonly checks?: readonly CheckView[] }): readonly CheckView[] {
  return checks.filter((one) => isRequired(one) && one.status !== 'passed')
}

export const statusWords = (status: Status): string => status ?? 'no report yet'

export const checkIcon = (status: Status) =>
  status === 'passed' ? 'met' : status === 'failed' ? 'stop' : status === 'pending' ? 'scheduled' : 'open'
