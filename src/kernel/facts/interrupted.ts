import type { ChangeRequest } from '../../domain/change-request'
import type { Limits } from '../../options/limits'

interface ApplyClock {
  clock(): Date
  readonly options: { readonly limits: Pick<Limits, 'applyTimeoutMs'> }
}

/** True for an apply attempt that has had no result for `applyTimeoutMs`. */
export function isInterrupted({ clock, options }: ApplyClock, { applying }: ChangeRequest): boolean {
  return applying != null && clock().getTime() - Date.parse(applying.startedAt) >= options.limits.applyTimeoutMs
}
