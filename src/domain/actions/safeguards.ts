import type { FeatureState } from '../flag-state'
import type { ActionTable, ChangeNames } from './action'
import { missingPlan, none, same } from './shared'

const ofEnvironment = {
  target: 'safeguard',
  scope: 'environment',
  stage: 'change',
  conflict: none,
  hasSnapshot: false,
  targetPart: none,
  withPart: (_payload: unknown, _part: unknown, feature: FeatureState) => feature,
  after: same,
  effect: none,
} as const

/** The gateway returns no safeguards, so only the release plan that they belong to can be checked. */
const ofReleasePlan = { ...ofEnvironment, conflict: missingPlan } as const

const changing = {
  phrase: (_payload: unknown, { subject }: ChangeNames) => `Changing a safeguard of ${subject}`,
} as const
const deleting = {
  phrase: (_payload: unknown, { subject }: ChangeNames) => `Deleting a safeguard of ${subject}`,
} as const

export const safeguardActions = {
  changeReleasePlanSafeguard: { ...ofReleasePlan, ...changing },
  deleteReleasePlanSafeguard: { ...ofReleasePlan, ...deleting },
  changeFeatureEnvSafeguard: { ...ofEnvironment, ...changing },
  deleteFeatureEnvSafeguard: { ...ofEnvironment, ...deleting },
  changeSafeguard: { ...ofReleasePlan, ...changing },
  deleteSafeguard: { ...ofReleasePlan, ...deleting },
} satisfies Partial<ActionTable>
