import type { FlagEvent, FlagState, StrategyState } from '../../../../src'
import type { JsonValue } from '../../../../src/domain/change-request'
import { canonical } from '../../../../src/domain/diff/canonical'
import type { PlannedChange } from '../../../../src/domain/flags/apply-order'

type Bag = { [property: string]: JsonValue }

interface Contents {
  enabled: boolean
  archived: boolean
  strategies: StrategyState[]
  variants: JsonValue[]
  dependencies: Bag[]
  plans: Bag[]
  milestones: Bag[]
  milestoneStrategies: StrategyState[]
  safeguards: Bag
  /** Unknown properties of the payloads of other actions. */
  unknown: Bag
  segments: { [id: string]: Bag & { name: string } }
}

/** A flag store in memory that knows nothing of the router, and stores every property that it gets. */
export function keepingStore(initial: Pick<Contents, 'strategies' | 'variants' | 'segments'>) {
  let now: Contents = {
    enabled: false,
    archived: false,
    dependencies: [{ feature: 'parent', enabled: true, variants: [] }],
    plans: [{ id: 'p1' }, { id: 'p2' }],
    milestones: [{ id: 'm1' }, { id: 'm2' }],
    milestoneStrategies: initial.strategies.map((one, index) => ({ ...one, milestoneId: `m${index + 1}` })),
    safeguards: {},
    unknown: {},
    ...structuredClone(initial),
  }
  let last = 0
  const find = <One extends Bag>(list: One[], id: JsonValue | undefined) => list.find((one) => one.id === id) as One
  const keep = (target: Bag, { id, ...payload }: Bag) => {
    if (payload.disabled === null) delete payload.disabled
    Object.assign(target, payload)
  }

  const actions: { readonly [action: string]: (payload: Bag) => unknown } = {
    updateEnabled({ enabled, shouldActivateDisabledStrategies, ...unknown }) {
      const activates = enabled === true && !now.enabled && shouldActivateDisabledStrategies === true
      if (activates && now.strategies.every(({ disabled }) => disabled)) {
        now.strategies = now.strategies.map((one) => ({ ...one, disabled: false }))
      }
      now.enabled = enabled === true
      keep(now.unknown, unknown)
    },
    addStrategy({ disabled, ...strategy }) {
      last += 1
      const sortOrder = Math.max(-1, ...now.strategies.map((one) => one.sortOrder as number)) + 1
      const added = { sortOrder, ...strategy, disabled: disabled === true, id: `new ${last}` }
      now.strategies.push(added as unknown as StrategyState)
      return added.id
    },
    updateStrategy: (payload) => keep(find(now.strategies, payload.id), payload),
    deleteStrategy({ id }) {
      now.strategies = now.strategies.filter((one) => one.id !== id)
    },
    reorderStrategy(payload) {
      for (const { id, sortOrder } of payload as unknown as Bag[])
        keep(find(now.strategies, id), { sortOrder: sortOrder as number })
    },
    patchVariant({ variants, ...unknown }) {
      now.variants = variants as JsonValue[]
      keep(now.unknown, unknown)
    },
    addDependency({ feature, enabled = true, variants = [], ...unknown }) {
      const added = { feature: feature as string, enabled, variants: enabled ? variants : [], ...unknown }
      now.dependencies = [...now.dependencies.filter((one) => one.feature !== feature), added]
    },
    deleteDependency({ feature, ...unknown }) {
      now.dependencies = now.dependencies.filter((one) => feature !== undefined && one.feature !== feature)
      keep(now.unknown, unknown)
    },
    updateSegment: (payload) => keep(now.segments[String(payload.id)] as Bag, payload),
    deleteSegment({ id }) {
      delete now.segments[String(id)]
    },
    archiveFeature() {
      now.archived = true
      now.dependencies = []
    },
    addReleasePlan({ templateId }) {
      last += 1
      now.plans.push({ id: `new ${last}`, templateId: templateId as string })
      return `new ${last}`
    },
    deleteReleasePlan({ planId }) {
      now.plans = now.plans.filter(({ id }) => id !== planId)
    },
    startMilestone: ({ planId, milestoneId, ...unknown }) =>
      keep(find(now.plans, planId), { active: milestoneId as string, ...unknown }),
    updateMilestoneStrategy: (payload) => keep(find(now.milestoneStrategies, payload.id), payload),
    changeMilestoneProgression: ({ sourceMilestone, ...progression }) =>
      keep(find(now.milestones, sourceMilestone), { progression }),
    deleteMilestoneProgression: ({ sourceMilestone, ...unknown }) =>
      keep(find(now.milestones, sourceMilestone), { progression: null, ...unknown }),
    resumeMilestoneProgression: ({ planId, ...unknown }) =>
      keep(find(now.plans, planId), { paused: false, ...unknown }),
  }
  const safeguard = (action: string) => (payload: Bag) => keep(now.safeguards, { [action]: payload })

  return {
    async current(): Promise<FlagState> {
      const {
        strategies,
        variants,
        dependencies,
        plans,
        milestones,
        milestoneStrategies,
        enabled,
        archived,
        segments,
      } = structuredClone(now)
      const ids = (list: Bag[]) => list.map(({ id }) => id as string)
      const feature = { enabled, archived, strategies, variants, dependencies, milestoneStrategies }
      return {
        features: new Map([['checkout', { ...feature, releasePlans: ids(plans), milestones: ids(milestones) }]]),
        segments: new Map(Object.entries(segments).map(([id, segment]) => [Number(id), segment])),
      }
    },
    async apply(changes: readonly PlannedChange[]): Promise<readonly FlagEvent[]> {
      return structuredClone(changes).flatMap(
        ({ id: changeId, action, feature: featureName, payload }): FlagEvent[] => {
          const created = (actions[action] ?? safeguard(action))(payload as Bag)
          if (typeof created !== 'string') return []
          const type = action === 'addStrategy' ? 'feature-strategy-add' : 'release-plan-added'
          return [{ type, featureName, changeId, data: { id: created } }]
        },
      )
    },
    /** Everything that changes can alter, without the ids that the store assigns. */
    async contents(): Promise<JsonValue> {
      const { strategies, plans, segments, milestoneStrategies, ...others } = structuredClone(now)
      const anonymous = strategies.map(({ id, ...strategy }) => strategy)
      const added = plans.map(({ id, ...plan }) => (String(id).startsWith('new') ? plan : { id, ...plan }))
      return {
        ...others,
        strategies: anonymous,
        plans: added,
        segments: Object.values(segments).map((one) => canonical(one)),
        milestoneStrategies: milestoneStrategies.map((one) => canonical(one)),
      } as unknown as JsonValue
    },
    /** Does the work, and undoes all that it applied. */
    async reset(work: () => Promise<void>): Promise<void> {
      const before = structuredClone(now)
      await work()
      now = before
    },
  }
}
