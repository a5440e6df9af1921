import { randomUUID } from 'node:crypto'
import { ChangeRequestError } from '../../errors'
import type { Directory } from '../../ports/directory'
import type { ApplicableChange, FlagEvent, FlagGateway } from '../../ports/flags'

export const project = 'default'
export const production = 'production'

const environments = [
  { name: 'development', type: 'development' },
  { name: production, type: 'production' },
]
const actions = ['updateEnabled', 'addStrategy', 'updateStrategy', 'deleteStrategy', 'archiveFeature'] as const

type Supported = ApplicableChange<(typeof actions)[number]>
type States = Awaited<ReturnType<FlagGateway['current']>>['features']
type Strategy = NonNullable<NonNullable<ReturnType<States['get']>>['strategies']>[number]

interface Flag {
  readonly name: string
  archived: boolean
  readonly states: { [environment: string]: { enabled: boolean; strategies: Strategy[] } }
}

function flag(name: string, rollout: string): Flag {
  const strategy = (environment: string, percentage: string): Strategy => ({
    id: `${name}-${environment}`,
    name: 'flexibleRollout',
    disabled: false,
    constraints: [],
    parameters: { rollout: percentage, stickiness: 'default', groupId: name },
    segments: [],
  })
  return {
    name,
    archived: false,
    states: {
      development: { enabled: true, strategies: [strategy('development', '100')] },
      production: { enabled: false, strategies: [strategy('production', rollout)] },
    },
  }
}

export function createFlags(): {
  readonly gateway: FlagGateway
  readonly directory: Directory
  list(): readonly object[]
} {
  let flags = [flag('checkout', '50'), flag('dark-mode', '100'), flag('new-search', '5'), flag('pay-by-card', '5')]
  const applied = new Map<string, readonly FlagEvent[]>()
  return {
    list: () => flags,
    directory: {
      hasProject: (name, environment = production) =>
        name === project && environments.some((known) => known.name === environment),
      knownFeatures: () => flags.filter(({ archived }) => !archived).map(({ name }) => name),
      searchFeatures: (query) =>
        flags
          .filter(({ name, archived }) => !archived && name.toLowerCase().includes(query.toLowerCase()))
          .map(({ name }) => name),
      environments: () => environments,
      projects: () => [project],
      searchSegments: () => [],
      contextFields: () => [{ name: 'userId', stickiness: true }, { name: 'email' }],
    },
    gateway: {
      actions,
      async current({ features, environment, mentions }) {
        const wanted = flags.filter(({ name }) => features.includes(name))
        const states = wanted.map(({ name, archived, states }) => {
          const { enabled = false, strategies = [] } = states[environment] ?? {}
          return [name, { archived, enabled, strategies: structuredClone(strategies) }] as const
        })
        // There are no segments.
        const missing = mentions && { missing: { segments: mentions.segments } }
        return { features: new Map(states), segments: new Map(), ...missing }
      },
      // Nothing is awaited, so no other apply runs in between.
      async apply(changes, { environment, applyId }) {
        const next = structuredClone(flags)
        const events = changes.map((change) => applyChange(next, environment, change as Supported))
        events.push(...disableWithoutStrategies(next, environment))
        flags = next
        applied.set(applyId, events)
        return events
      },
      outcome: async (applyId) => applied.get(applyId) ?? null,
    },
  }
}

/** @throws ChangeRequestError ConflictError if the flag or the strategy does not exist */
function applyChange(flags: readonly Flag[], environment: string, change: Supported): FlagEvent {
  const flag = flags.find(({ name, archived }) => name === change.feature && !archived)
  const state = flag?.states[environment]
  if (flag === undefined || state === undefined)
    throw new ChangeRequestError('ConflictError', `The flag ${change.feature} does not exist.`)
  const about = { featureName: flag.name, changeId: change.id }
  switch (change.action) {
    case 'updateEnabled': {
      const { enabled, shouldActivateDisabledStrategies } = change.payload
      state.enabled = enabled
      if (shouldActivateDisabledStrategies) {
        state.strategies = state.strategies.map((strategy) => ({ ...strategy, disabled: false }))
      }
      return { ...about, type: enabled ? 'feature-environment-enabled' : 'feature-environment-disabled' }
    }
    case 'addStrategy': {
      const data = strategyOf(change.payload, { id: randomUUID(), disabled: change.payload.disabled ?? false })
      state.strategies.push(data)
      return { ...about, type: 'feature-strategy-add', data }
    }
    case 'updateStrategy': {
      const preData = requireStrategy(state.strategies, change.payload.id)
      const data = strategyOf(preData, change.payload, { disabled: change.payload.disabled ?? preData.disabled })
      state.strategies.splice(state.strategies.indexOf(preData), 1, data)
      return { ...about, type: 'feature-strategy-update', data, preData }
    }
    case 'deleteStrategy': {
      const preData = requireStrategy(state.strategies, change.payload.id)
      state.strategies.splice(state.strategies.indexOf(preData), 1)
      return { ...about, type: 'feature-strategy-remove', preData }
    }
    case 'archiveFeature':
      flag.archived = true
      return { ...about, type: 'feature-archived', environment: null }
  }
}

/** An enabled flag is disabled when it has no active strategy any more. */
function disableWithoutStrategies(flags: readonly Flag[], environment: string): FlagEvent[] {
  return flags.flatMap(({ name, states }) => {
    const state = states[environment]
    if (!state?.enabled || state.strategies.some(({ disabled }) => !disabled)) return []
    state.enabled = false
    return { type: 'feature-environment-disabled', featureName: name }
  })
}

/** Merges the parts. Payloads are JSON, but interfaces do not fit the index signature of a strategy. */
function strategyOf(...parts: readonly object[]): Strategy {
  return Object.assign({}, ...parts)
}

function requireStrategy(strategies: readonly Strategy[], id: string): Strategy {
  const strategy = strategies.find((one) => one.id === id)
  if (strategy === undefined) throw new ChangeRequestError('ConflictError', `The strategy ${id} does not exist.`)
  return strategy
}
