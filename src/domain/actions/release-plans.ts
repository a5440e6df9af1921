import type { FeatureState } from '../flag-state'
import type { ActionTable, TargetPart } from './action'
import {
  change,
  isMissing,
  mergedProperties,
  missingPlan,
  missingStrategy,
  none,
  restored,
  same,
  strategyFields,
  strategyPart,
  withStrategy,
} from './shared'

interface Progression {
  readonly sourceMilestone: string
}

const ofMilestoneProgression = {
  target: 'milestone',
  scope: 'environment',
  stage: 'change',
  conflict: ({ sourceMilestone }: Progression, feature: FeatureState) => missingMilestone(sourceMilestone, feature),
  snapshot: none,
  targetPart: ({ sourceMilestone }: Progression, { milestones }: FeatureState) => existing(sourceMilestone, milestones),
  after: same,
  effect: none,
} as const

/** Actions on release plans and their milestones. The gateway returns only their ids. */
export const releasePlanActions = {
  addReleasePlan: {
    target: 'release plan',
    scope: 'environment',
    stage: 'change',
    phrase: (_payload, { subject }) => `Adding a release plan to ${subject}`,
    conflict: none,
    snapshot: none,
    // The added release plan is the target, which does not exist before.
    targetPart: () => null,
    after: same,
    added: ({ templateId }) => ({ templateId }),
    inverse: (_payload, { created }) =>
      created === undefined ? undefined : [change('deleteReleasePlan', { planId: created })],
    effect: none,
  },
  startMilestone: {
    target: 'milestone',
    scope: 'environment',
    stage: 'change',
    phrase: (_payload, { subject }) => `Starting a milestone of ${subject}`,
    conflict: (payload, feature) => missingPlan(payload, feature) ?? missingMilestone(payload.milestoneId, feature),
    snapshot: none,
    targetPart: ({ milestoneId }, { milestones }) => existing(milestoneId, milestones),
    after: same,
    effect: none,
  },
  deleteReleasePlan: {
    target: 'release plan',
    scope: 'environment',
    stage: 'change',
    phrase: (_payload, { subject }) => `Deleting a release plan of ${subject}`,
    conflict: missingPlan,
    snapshot: none,
    targetPart: ({ planId }, { releasePlans }) => existing(planId, releasePlans),
    after({ planId }, feature) {
      const left = feature.releasePlans?.filter((id) => id !== planId)
      return left ? { ...feature, releasePlans: left } : feature
    },
    effect: none,
  },
  changeMilestoneProgression: {
    ...ofMilestoneProgression,
    phrase: (_payload, { subject }) => `Changing a milestone progression of ${subject}`,
  },
  deleteMilestoneProgression: {
    ...ofMilestoneProgression,
    phrase: (_payload, { subject }) => `Deleting a milestone progression of ${subject}`,
  },
  resumeMilestoneProgression: {
    target: 'milestone',
    scope: 'environment',
    stage: 'change',
    phrase: (_payload, { subject }) => `Resuming the milestone progressions of ${subject}`,
    conflict: missingPlan,
    snapshot: none,
    targetPart: ({ planId }, { releasePlans }) => existing(planId, releasePlans),
    after: same,
    effect: none,
  },
  updateMilestoneStrategy: {
    target: 'strategy',
    scope: 'environment',
    stage: 'change',
    phrase: (_payload, { subject, strategy }) => `Editing ${strategy} of a milestone of ${subject}`,
    conflict: (payload, { milestoneStrategies }) => missingStrategy([payload], milestoneStrategies),
    snapshot: ({ id }, { milestoneStrategies }) => milestoneStrategies?.find((one) => one.id === id),
    targetPart: (payload, { milestoneStrategies }) => strategyPart(milestoneStrategies, payload),
    after(payload, feature) {
      const { milestoneStrategies: all } = feature
      return all ? { ...feature, milestoneStrategies: withStrategy(all, payload) } : feature
    },
    merged: mergedProperties,
    inverse: (payload, { snapshot }) => restored('updateMilestoneStrategy', payload, snapshot, strategyFields),
    effect: none,
  },
} satisfies Partial<ActionTable>

function missingMilestone(id: string, { milestones }: FeatureState): string | undefined {
  return isMissing(id, milestones) ? 'Milestone has been deleted' : undefined
}

function existing(id: string, ids: readonly string[] | undefined): TargetPart {
  return ids && (ids.includes(id) ? { id } : null)
}
