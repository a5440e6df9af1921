import type { RuleMode } from '../../../generated'
import { counted } from './numbers'

/** Approvals that a change request needs. */
export interface RequirementLike {
  readonly name: string
  readonly approvals: number
  /** Null while it is unknown. */
  readonly given: number | null
  readonly mode?: RuleMode
}

export function isMet({ given, approvals }: RequirementLike): boolean {
  return given !== null && given >= approvals
}

/** Whether it blocks: it is neither met nor on trial. */
export const isMissing = (requirement: RequirementLike): boolean => isEnforced(requirement) && !isMet(requirement)

/** A rule, freeze or check that is not on trial. */
export const isEnforced = ({ mode }: { readonly mode?: RuleMode }): boolean => mode !== 'trial'

export const onTrial = 'on trial, does not block'

/** When the approvals of a requirement expire; only if the host app lets them. */
export interface ExpiryLike {
  readonly expired?: number
  readonly expiresAt?: string | null
}

/** `1 approval has expired. The next one expires Fri 20 Nov, 10:00.`; empty without anything to say. */
export function expiryWords({ expired = 0, expiresAt = null }: ExpiryLike, shown: (moment: string) => string): string {
  const past = expired > 0 ? [`${counted(expired, 'approval has', 'approvals have')} expired.`] : []
  const first = expired > 0 ? 'The next one expires' : 'The first approval expires'
  const next = expiresAt === null ? [] : [`${first} ${shown(expiresAt)}.`]
  return [...past, ...next].join(' ')
}
