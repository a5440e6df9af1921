import type { Knex } from 'knex'
import type { ApplicableChange, Directory, FlagEvent, FlagGateway } from '../../../src'
import type { OpenDatabase, TestDatabase } from '../../support/databases'

interface Place {
  readonly enabled: boolean
  readonly strategies: readonly { readonly id: string; readonly disabled: boolean; readonly [key: string]: unknown }[]
  readonly variants: readonly object[]
  readonly releasePlans: readonly {
    readonly id: string
    readonly activeMilestoneId: string | null
    readonly milestones: readonly {
      readonly id: string
      readonly name: string
      readonly strategies: readonly { readonly id: string; readonly [key: string]: unknown }[]
    }[]
  }[]
}

interface Flag {
  readonly name: string
  readonly archived: boolean
  readonly dependencies: readonly object[]
  readonly environments: readonly (Place & { readonly name: string })[]
}

/** What the store of the example server shows of a project. */
interface Listing {
  readonly features: readonly Flag[]
  readonly segments: readonly { readonly id: number; readonly [key: string]: unknown }[]
}

interface FlagStore {
  migrate(): Promise<void>
  seed(): Promise<boolean>
  list(project: string): Promise<Listing>
  readonly directory: Directory
}

const { createFlagStore }: { createFlagStore(knex: Knex): FlagStore } = require('../../../examples/server/flags/store')
const { createFlagGateway }: { createFlagGateway(store: FlagStore): FlagGateway } =
  require('../../../examples/server/flags/gateway')

/** A change as a test writes it; ids rise from 1. */
export interface ChangeOfTest {
  readonly action: string
  readonly feature?: string | null
  readonly payload?: unknown
  readonly id?: null
}

export interface FlagHost {
  readonly opened: OpenDatabase
  readonly store: FlagStore
  readonly gateway: FlagGateway
  /** Applies changes to production of the project default in one transaction, and returns the events. */
  apply(...changes: ChangeOfTest[]): Promise<readonly FlagEvent[]>
  flag(name: string): Promise<Flag>
  /** What production holds of a flag. */
  place(name: string): Promise<Place>
  segment(id: number): Promise<object | undefined>
}

/** The flag store of the example server with its demo, in a database of its own. */
export async function openFlagHost(database: TestDatabase): Promise<FlagHost> {
  const opened = await database.open()
  const store = createFlagStore(opened.knex)
  await store.migrate()
  await store.seed()
  const gateway = createFlagGateway(store)
  const flag = async (name: string) => {
    const found = (await store.list('default')).features.find((one) => one.name === name)
    if (found === undefined) throw new Error(`There is no flag ${name}.`)
    return found
  }
  return {
    opened,
    store,
    gateway,
    apply: (...changes) => applyThrough(gateway, opened, changes),
    flag,
    async place(name) {
      const place = (await flag(name)).environments.find((one) => one.name === 'production')
      if (place === undefined) throw new Error('There is no production.')
      return place
    },
    segment: async (id) => (await store.list('default')).segments.find((one) => one.id === id),
  }
}

/** Applies changes in one transaction of the storage, and returns the events. */
export async function applyThrough(
  gateway: FlagGateway,
  { storage }: OpenDatabase,
  changes: readonly ChangeOfTest[],
): Promise<readonly FlagEvent[]> {
  const events = await storage.transaction((transaction) =>
    gateway.apply(changes.map(toApplicable), { ...context, transaction }),
  )
  return events.map(({ changeId: _, ...event }) => event)
}

const context = {
  changeRequestId: 1,
  project: 'default',
  environment: 'production',
  appliedBy: { id: 2, username: 'ben', signature: 'ben' },
  applyId: 'an-apply',
}

function toApplicable(change: ChangeOfTest, index: number): ApplicableChange {
  return { id: index + 1, feature: null, payload: {}, ...change } as ApplicableChange
}
