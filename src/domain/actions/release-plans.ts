import type { FeatureState } from '../flag-state'
import type { ActionTable, KnownPart, TargetPart } from './action'
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
  withStrategyPart,
} from './shared'

interface Progression {
  readonly sourceMilestone: string
}

const ofMilestoneProgression = {
  target: 'milestone',
  scope: 'environment',
  stage: 'change',
  conflict: ({ sourceMilestone }: Progression, feature: FeatureState) => missingMilestone(sourceMilestone, feature),
  hasSnapshot: false,
  targetPart: ({ sourceMilestone }: Progression, { milestones }: FeatureState) => existing(sourceMilestone, milestones),
  withPart: withMilestone,
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
    hasSnapshot: false,
    // The added release plan is the target, which does not exist before.
    targetPart: () => null,
    withPart: (_payload, _part, feature) => feature,
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
    hasSnapshot: false,
    targetPart: ({ milestoneId }, { milestones }) => existing(milestoneId, milestones),
    withPart: withMilestone,
    after: same,
    effect: none,
  },
  deleteReleasePlan: {
    target: 'release plan',
    scope: 'environment',
    stage: 'change',
    phrase: (_payload, { subject }) => `Deleting a release plan of ${subject}`,
    conflict: missingPlan,
    hasSnapshot: false,
    targetPart: ({ planId }, { releasePlans }) => existing(planId, releasePlans),
    withPart: withReleasePlan,
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
    hasSnapshot: false,
    targetPart: ({ planId }, { releasePlans }) => existing(planId, releasePlans),
    withPart: withReleasePlan,
    after: same,
    effect: none,
  },
  updateMilestoneStrategy: {
    target: 'strategy',
    scope: 'environment',
    stage: 'change',
    phrase: (_payload, { subject, strategy }) => `Editing ${strategy} of a milestone of ${subject}`,
    conflict: (payload, { milestoneStrategies }) => missingStrategy([payload], milestoneStrategies),
    hasSnapshot: true,
    targetPart: (payload, { milestoneStrategies }) => strategyPart(milestoneStrategies, payload),
    withPart: (_payload, part, feature) => ({
      ...feature,
      milestoneStrategies: withStrategyPart(feature.milestoneStrategies, part),
    }),
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

function withMilestone(_payload: unknown, part: KnownPart, feature: FeatureState): FeatureState {
  return { ...feature, milestones: withId(feature.milestones, part) }
}

function withReleasePlan(_payload: unknown, part: KnownPart, feature: FeatureState): FeatureState {
  return { ...feature, releasePlans: withId(feature.releasePlans, part) }
}

function withId(ids: readonly string[] = [], part: KnownPart): readonly string[] {
  return part === null ? ids : [...ids, part.id as string]
}
