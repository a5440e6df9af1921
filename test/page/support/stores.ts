import type { ApplicableChange, Directory, FlagGateway, FlagState, Validate } from '../../../src'
import { plainFlags } from '../../../src/storage/knex'
import type { FlagHost } from '../../examples/support/flag-host'

/** Where the flags of a host are: in the store of the example server, in a plain table, or in a store with forms of its own. */
export type StoreName = 'example' | 'plain' | 'normalising'

/** What the router needs of a store. */
export interface Store {
  readonly flags: FlagGateway
  readonly directory: Directory
  readonly validate?: Validate
}

export const stores: Readonly<Record<StoreName, (host: FlagHost) => Store | Promise<Store>>> = {
  example: ({ gateway, store }) => ({ flags: gateway, directory: store.directory }),
  plain: createPlain,
  normalising: ({ gateway, store }) => ({ flags: normalising(gateway), directory: store.directory }),
}

/** A table with `checkout`, off, for 50 %. */
async function createPlain({ opened: { knex } }: FlagHost): Promise<Store> {
  await knex.schema.createTable('plain_flags', (table) => {
    table.string('name').primary()
    table.boolean('enabled').notNullable()
    table.boolean('archived').notNullable().defaultTo(false)
    table.decimal('rollout')
  })
  await knex('plain_flags').insert({ name: 'checkout', enabled: false, rollout: 50 })
  const columns = { name: 'name', enabled: 'enabled', archived: 'archived', rollout: 'rollout' }
  const place = { project: 'default', environment: 'production' }
  return plainFlags({ knex, table: 'plain_flags', columns, ...place }) as Store
}

/** A store that keeps what it is given in its own form: sorted, without defaults, and with a sort order for each strategy. */
function normalising(gateway: FlagGateway): FlagGateway {
  return {
    ...gateway,
    current: async (...input) => inOwnForm(await gateway.current(...input)),
    apply: (changes: readonly ApplicableChange[], context: never) => {
      const stored = changes.map((one) => ({ ...one, payload: strategyInOwnForm(one.payload) }) as ApplicableChange)
      return gateway.apply(stored, context)
    },
  } as FlagGateway
}

interface Properties {
  readonly [property: string]: unknown
}

function inOwnForm(state: FlagState): FlagState {
  const features = [...state.features].map(([name, feature]) => {
    const strategies = feature.strategies?.map((one, index) => ({ ...strategyInOwnForm(one), sortOrder: index * 10 }))
    return [name, { ...feature, ...(strategies && { strategies }) }] as const
  })
  return { ...state, features: new Map(features) } as FlagState
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
