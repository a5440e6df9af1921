import type { ApplicableChange, FlagGateway, FlagState } from '../../../src'

/** A store that normalizes flags: sorted, without defaults, and with a sort order in tens for each strategy. */
export function normalizing(gateway: FlagGateway): FlagGateway {
  return {
    ...gateway,
    current: async (...input) => inOwnForm(await gateway.current(...input)),
    apply: (changes: readonly ApplicableChange[], context: never) => {
      const stored = changes.map((one) => ({ ...one, payload: payloadInOwnForm(one.payload) }) as ApplicableChange)
      return gateway.apply(stored, context)
    },
  } as FlagGateway
}

interface Properties {
  readonly [property: string]: unknown
}

function inOwnForm(state: FlagState): FlagState {
  const features = [...state.features].map(([name, feature]) => {
    const strategies = feature.strategies?.map((one, index) => ({
      ...strategyInOwnForm(one),
      sortOrder: (typeof one.sortOrder === 'number' ? one.sortOrder : index) * 10,
    }))
    return [name, { ...feature, ...(strategies && { strategies }) }] as const
  })
  return { ...state, features: new Map(features) } as FlagState
}

function payloadInOwnForm(payload: object): object {
  if (Array.isArray(payload)) return payload.map(payloadInOwnForm)
  const { sortOrder, ...strategy } = strategyInOwnForm(payload) as Properties
  return typeof sortOrder === 'number' ? { ...strategy, sortOrder: sortOrder / 10 } : strategy
}

function strategyInOwnForm<Strategy extends object>(strategy: Strategy): Strategy {
  const { constraints, parameters, title, ...others } = strategy as Properties
  return {
    ...others,
    ...(title !== '' && title !== undefined && { title }),
    ...(Array.isArray(constraints) && { constraints: constraints.map(constraintInOwnForm) }),
    ...(parameters !== undefined && { parameters: parametersInOwnForm(parameters as Properties) }),
  } as Strategy
}

function constraintInOwnForm({ inverted, caseInsensitive, values, ...constraint }: Properties): Properties {
  return {
    ...constraint,
    ...(inverted === true && { inverted }),
    ...(caseInsensitive === true && { caseInsensitive }),
    ...(Array.isArray(values) && { values: [...values].sort() }),
  }
}

function parametersInOwnForm({ rollout, ...others }: Properties): Properties {
  return { ...others, ...(rollout !== undefined && { rollout: String(Number(rollout)) }) }
}
