import { problemInRules } from '../domain/approval/check-rules'
import { check, owner } from './check'
import type { ResolvedOptions } from './router-options'

/** @throws TypeError that names the rule when one cannot be used. */
export function checkRules({ approvalRules, recheckApprovers, users, flags }: ResolvedOptions): void {
  check('recheckApprovers', !recheckApprovers || users !== null, 'false without the option users')
  if (typeof approvalRules === 'function') return
  const problem = problemInRules(approvalRules, { hasFlags: flags !== null })
  if (problem !== undefined) throw new TypeError(`${owner}: "approvalRules" ${problem}.`)
}
