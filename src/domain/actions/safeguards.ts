import type { ActionTable } from './action'
import { missingPlan, none, same } from './shared'

const ofEnvironment = {
  target: 'safeguard',
  scope: 'environment',
  stage: 'change',
  conflict: none,
  snapshot: none,
  targetPart: none,
  after: same,
  effect: none,
} as const

/** The gateway returns no safeguards, so only the release plan that they belong to can be checked. */
const ofReleasePlan = { ...ofEnvironment, conflict: missingPlan } as const

export const safeguardActions = {
  changeReleasePlanSafeguard: ofReleasePlan,
  deleteReleasePlanSafeguard: ofReleasePlan,
  changeFeatureEnvSafeguard: ofEnvironment,
  deleteFeatureEnvSafeguard: ofEnvironment,
  changeSafeguard: ofReleasePlan,
  deleteSafeguard: ofReleasePlan,
} satisfies Partial<ActionTable>
