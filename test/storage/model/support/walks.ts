import type { Knex } from 'knex'
import type {
  ApplicableChange,
  ApplyContext,
  CurrentOptions,
  FlagEvent,
  FlagGateway,
  FlagState,
  Storage,
} from '../../../../src'
import type { ProposedChange, Target } from './actions'
import type { Answer, Send, Who } from './callers'

export const shop = '/api/admin/projects/shop'

export function enable(feature = 'checkout', enabled = true): ProposedChange {
  return { action: 'updateEnabled', feature, payload: { enabled } }
}

export function propose(send: Send, changes: unknown = [enable()]) {
  return send('ann', 'POST', `${shop}/environments/production/change-requests`, { body: changes })
}

export function to(send: Send, who: Who, state: Target, id = 1) {
  return send(who, 'PUT', `${shop}/change-requests/${id}/state`, { body: { state } })
}

export async function needApprovals(send: Send, requiredApprovals: number): Promise<void> {
  const body = { changeRequestsEnabled: true, requiredApprovals }
  await ok(send('dora', 'PUT', `${shop}/environments/production/change-requests/config`, { body }))
}

/** A change request of Ann in review; returns the id of its first change. */
export async function reviewed(send: Send, changes: unknown = [enable()]): Promise<Answer> {
  const { body } = await ok(propose(send, changes))
  return ok(to(send, 'ann', 'In review', body.id))
}

/** The same, approved by Ben. */
export async function approved(send: Send, changes?: unknown): Promise<Answer> {
  const { body } = await reviewed(send, changes)
  return ok(to(send, 'ben', 'Approved', body.id))
}

export function edit(send: Send, changeId: number) {
  return send('ann', 'PUT', `${shop}/change-requests/1/changes/${changeId}`, { body: enable('search') })
}

export function changeIds({ body }: Answer): number[] {
  return body.features.flatMap(({ changes }: { changes: { id: number }[] }) => changes.map(({ id }) => id))
}

/** A step of the setup, which must not fail. */
export async function ok(answering: Promise<Answer>): Promise<Answer> {
  const answer = await answering
  expect([answer.name, Math.floor(answer.status / 100)]).toEqual([undefined, 2])
  return answer
}

/** The flags of a host in the database of the change requests: one row a flag, and one row for each change to it. */
export class FlagTable implements FlagGateway {
  readonly transactional = true
  readonly #knex: Knex
  /** Whether an apply locks the rows first. */
  locks = true
  /** Called after the first write of an apply. */
  midway: ((transaction: Knex.Transaction) => Promise<void> | void) | null = null

  constructor(knex: Knex) {
    this.#knex = knex
  }

  async create(): Promise<void> {
    await this.#knex.schema.createTable('host_flags', (table) => {
      table.string('name').primary()
      table.boolean('enabled').notNullable()
    })
    await this.#knex.schema.createTable('host_changes', (table) => {
      table.increments('id')
      table.string('flag').notNullable()
    })
    await this.#knex('host_flags').insert(['checkout', 'search'].map((name) => ({ name, enabled: false })))
  }

  async current(_subjects?: unknown, options?: CurrentOptions): Promise<FlagState> {
    const query = ((options?.transaction ?? this.#knex) as Knex)('host_flags').select('name', 'enabled').orderBy('name')
    const rows = await (options !== undefined && this.locks ? query.forUpdate() : query)
    const features = rows.map(({ name, enabled }) => {
      const strategies = [{ id: 'all', name: 'default', disabled: false }]
      return [String(name), { archived: false, enabled: Boolean(enabled), strategies }] as const
    })
    return { features: new Map(features), segments: new Map() }
  }

  async apply(changes: readonly ApplicableChange[], { transaction }: ApplyContext): Promise<readonly FlagEvent[]> {
    const trx = transaction as Knex.Transaction
    const events: FlagEvent[] = []
    for (const { feature, payload } of changes) {
      const { enabled } = payload as { enabled: boolean }
      await trx('host_changes').insert({ flag: feature })
      await this.midway?.(trx)
      await trx('host_flags').where({ name: feature }).update({ enabled })
      events.push({ type: 'feature-environment-enabled', featureName: feature })
    }
    return events
  }

  /** The enabled flags, and each change to a flag. */
  async written(): Promise<{ on: string[]; changes: string[] }> {
    const on = await this.#knex('host_flags').where({ enabled: true }).orderBy('name').pluck('name')
    return { on, changes: await this.#knex('host_changes').orderBy('id').pluck('flag') }
  }
}

/** Pauses the first commit of a storage, also inside its transactions, until it is released. */
export function stopBeforeCommit(storage: Storage) {
  let stopped = false
  let arrive = () => {}
  let letGo = () => {}
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const goneOn = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const stop = async () => {
    if (stopped) return
    stopped = true
    arrive()
    await goneOn
  }
  const stopping = <Port extends Pick<Storage, 'commit'>>(port: Port): Port => ({
    ...port,
    async commit(write) {
      await stop()
      return port.commit(write)
    },
  })
  const transaction: Storage['transaction'] = (work) => {
    if (storage.transaction === undefined) throw new Error('The storage has no transactions.')
    return storage.transaction((shared, inside) => work(shared, stopping(inside)))
  }
  return { storage: { ...stopping(storage), transaction } as Storage, arrived, letGo }
}
