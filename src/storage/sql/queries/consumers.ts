import {
  type ConsumerPosition,
  type ConsumerStorage,
  newConsumerStatus,
  type StoredConsumer,
} from '../../../ports/storage/consumers'
import { type Names, safeInteger } from '../database/database'

export interface ConsumerDialect {
  /** The time of the database in milliseconds since 1970, which advances within a transaction. */
  readonly now: string
  /** A list that is bound as one value, with the column `value`. */
  readonly values: string
  /** Runs a statement that only reads. */
  // biome-ignore lint/suspicious/noExplicitAny: what a column holds depends on the statement.
  readonly rows: (text: string, values: readonly unknown[]) => Promise<any[]>
  /**
   * Commits one statement. Leases and positions need no flush to the disk: after a power failure no process holds a lease,
   * and events come again.
   */
  readonly write: (
    text: string,
    values: readonly unknown[],
    options?: { readonly durable?: boolean },
    // biome-ignore lint/suspicious/noExplicitAny: what a column holds depends on the statement.
  ) => Promise<any[]>
}

export function consumerStorage({ table }: Names, { now, values, rows, write }: ConsumerDialect): ConsumerStorage {
  const consumers = table('consumers')
  const columns = `name, position, event_id, fingerprint, owner, epoch, lease_until - ${now} as lease_left, status`

  return {
    logId: async () => {
      const [row] = await rows(`select id from ${table('event_log')}`, [])
      return row.id
    },
    list: async () => {
      const listed = (await rows(`select ${columns} from ${consumers}`, [])).map(toStored)
      return listed.sort((one, other) => (one.name < other.name ? -1 : 1))
    },
    create: async (name, start) => {
      const text = `insert into ${consumers} (name, position, event_id, fingerprint, epoch, lease_until, status)
        values (?, ?, ?, ?, 0, 0, ?) on conflict (name) do nothing returning name`
      const created = await write(text, [name, ...positionValues(start), JSON.stringify(newConsumerStatus)])
      return created.length > 0
    },
    lease: async (owner, names, leaseMs) => {
      const isLeased = `(lease_until > ${now} and lease_until <= ${now} + ?)`
      const text = `update ${consumers} set owner = ?, lease_until = ${now} + ?,
          epoch = case when owner = ? and ${isLeased} then epoch else epoch + 1 end
        where name in ${values} and (owner = ? or not ${isLeased}) returning ${columns}`
      const bound = [owner, leaseMs, owner, leaseMs, names, owner, leaseMs]
      return (await write(text, bound, { durable: false })).map(toStored)
    },
    release: async (owner, names) => {
      const text = `update ${consumers} set lease_until = 0 where owner = ? and name in ${values} returning name`
      await write(text, [owner, names])
    },
    write: async ({ before, position, event, epoch, status }) => {
      const text = `update ${consumers} set position = ?, event_id = ?, fingerprint = ?, epoch = ?, status = ?
        where name = ? and epoch = ? and position = ? and coalesce(owner, '') = ? returning name`
      const next = [...positionValues({ position, event }), epoch, JSON.stringify(status)]
      const bound = [...next, before.name, before.epoch, before.position, before.owner ?? '']
      const written = await write(text, bound, { durable: epoch !== before.epoch })
      return written.length > 0
    },
    remove: async (name) => {
      const text = `delete from ${consumers} where name = ? and lease_until <= ${now} returning name`
      return (await write(text, [name])).length > 0
    },
  }
}

function positionValues({ position, event }: ConsumerPosition): unknown[] {
  return [position, event?.id ?? null, event?.fingerprint ?? null]
}

// biome-ignore lint/suspicious/noExplicitAny: a row of the driver.
function toStored({ name, position, event_id, fingerprint, owner, epoch, lease_left, status }: any): StoredConsumer {
  return {
    name,
    position: safeInteger(position),
    event: event_id === null ? null : { id: safeInteger(event_id), fingerprint },
    owner,
    epoch: safeInteger(epoch),
    leaseLeftMs: safeInteger(lease_left),
    status: JSON.parse(status),
  }
}
