import type { FeatureState, StrategyState } from '../flag-state'
import type { ActionTable, KnownPart, TargetPart } from './action'
import {
  change,
  copyOf,
  inEnvironment,
  isMissing,
  listOf,
  mergedProperties,
  missingMention,
  missingPlan,
  missingStrategy,
  ofAddition,
  restored,
  same,
  strategyPart,
  withStrategy,
  withStrategyPart,
} from './shared'

const ofReleasePlan = {
  ...inEnvironment,
  conflict: missingPlan,
  targetPart: ({ planId }: { readonly planId: string }, { releasePlans }: FeatureState) =>
    existing(planId, releasePlans),
  withPart: (_payload: unknown, part: KnownPart, feature: FeatureState) => ({
    ...feature,
    releasePlans: withId(feature.releasePlans, part),
  }),
} as const

interface Progression {
  readonly sourceMilestone: string
}

const ofMilestoneProgression = {
  target: 'milestone',
  ...inEnvironment,
  conflict: ({ sourceMilestone }: Progression, feature: FeatureState) => missingMilestone(sourceMilestone, feature),
  targetPart: ({ sourceMilestone }: Progression, { milestones }: FeatureState) => existing(sourceMilestone, milestones),
  withPart: withMilestone,
  after: same,
} as const

/** Actions on release plans and their milestones. The gateway returns their ids, and the strategies of milestones. */
export const releasePlanActions = {
  addReleasePlan: {
    target: 'release plan',
    ...ofAddition,
    phrase: (_payload, { subject }) => `Adding a release plan to ${subject}`,
    conflict: ({ templateId }, _feature, { missing }) =>
      missing?.templates?.includes(templateId) ? 'Release plan template has been deleted' : undefined,
    after: same,
    added: ({ templateId }) => ({ templateId }),
    inverse: (_payload, { created }) =>
      created === undefined ? undefined : [change('deleteReleasePlan', { planId: created })],
  },
  startMilestone: {
    target: 'milestone',
    ...inEnvironment,
    phrase: (_payload, { subject }) => `Starting a milestone of ${subject}`,
    conflict: (payload, feature) => missingPlan(payload, feature) ?? missingMilestone(payload.milestoneId, feature),
    targetPart: milestonePart,
    withPart: (payload, part, feature) => {
      let { milestoneStrategies } = feature
      for (const one of listOf(part?.strategies)) {
        milestoneStrategies = withStrategyPart(milestoneStrategies, one as StrategyState)
      }
      return { ...withMilestone(payload, part, feature), ...(milestoneStrategies && { milestoneStrategies }) }
    },
    after({ milestoneId }, feature) {
      const { milestoneStrategies: all } = feature
      const started = (one: StrategyState) => (one.milestoneId === milestoneId ? { ...one, started: true } : one)
      return all ? { ...feature, milestoneStrategies: all.map(started) } : feature
    },
    unseen: ({ milestoneId: id, ...others }) => ({ id, ...others }),
    activates: ({ milestoneId }, feature) => strategiesOf(milestoneId, feature),
  },
  deleteReleasePlan: {
    target: 'release plan',
    ...ofReleasePlan,
    phrase: (_payload, { subject }) => `Deleting a release plan of ${subject}`,
    after({ planId }, feature) {
      const left = feature.releasePlans?.filter((id) => id !== planId)
      return left ? { ...feature, releasePlans: left } : feature
    },
  },
  changeMilestoneProgression: {
    ...ofMilestoneProgression,
    unseen: ({ sourceMilestone: id, ...set }) => ({ id, ...set }),
    phrase: (_payload, { subject }) => `Changing a milestone progression of ${subject}`,
  },
  deleteMilestoneProgression: {
    ...ofMilestoneProgression,
    unseen: ({ sourceMilestone: id, ...unknown }) => ({ id, transitionCondition: null, ...unknown }),
    phrase: (_payload, { subject }) => `Deleting a milestone progression of ${subject}`,
  },
  resumeMilestoneProgression: {
    target: 'milestone',
    ...ofReleasePlan,
    phrase: (_payload, { subject }) => `Resuming the milestone progressions of ${subject}`,
    after: same,
    unseen: ({ planId: id, ...unknown }) => ({ id, paused: false, ...unknown }),
  },
  updateMilestoneStrategy: {
    target: 'strategy',
    ...inEnvironment,
    phrase: (_payload, { subject, strategy }) => `Editing ${strategy} of a milestone of ${subject}`,
    conflict: (payload, { milestoneStrategies }, context) =>
      missingStrategy([payload], milestoneStrategies) ?? missingMention(payload, context),
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
    inverse: (payload, { snapshot }) => restored('updateMilestoneStrategy', payload, snapshot),
  },
} satisfies Partial<ActionTable>

function missingMilestone(id: string, { milestones }: FeatureState): string | undefined {
  return isMissing(id, milestones) ? 'Milestone has been deleted' : undefined
}

/** With the strategies that the flag gets when it is started, as far as the gateway returns which ones these are. */
function milestonePart({ milestoneId }: { readonly milestoneId: string }, feature: FeatureState): TargetPart {
  const part = existing(milestoneId, feature.milestones)
  const strategies = strategiesOf(milestoneId, feature)
  if (part == null || strategies.length === 0) return part
  return { id: milestoneId, strategies: copyOf(strategies) }
}

function strategiesOf(id: string, { milestoneStrategies = [] }: FeatureState): StrategyState[] {
  return milestoneStrategies.filter(({ milestoneId }) => milestoneId === id)
}

function existing(id: string, ids: readonly string[] | undefined): TargetPart {
  return ids && (ids.includes(id) ? { id } : null)
}

function withMilestone(_payload: unknown, part: KnownPart, feature: FeatureState): FeatureState {
  return { ...feature, milestones: withId(feature.milestones, part) }
}

function withId(ids: readonly string[] = [], part: KnownPart): readonly string[] {
  return part === null ? ids : [...ids, part.id as string]
}
