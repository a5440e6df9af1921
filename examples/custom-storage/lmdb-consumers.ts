import { randomUUID } from 'node:crypto'
import type { ConsumerStorage, StoredConsumer } from 'express-change-requests'
import type { Lease, Tables } from './lmdb-tables'

/** Stores the id of the log once. Call inside a transaction. */
export function putLogId({ logId }: Tables): void {
  if (logId.get('id') === undefined) logId.putSync('id', randomUUID())
}

const unowned = { owner: null, epoch: 0, leaseUntil: 0 }
const newStatus = {
  failures: 0,
  failingSince: null,
  nextAttemptAt: null,
  lastError: null,
  reason: null,
  handledAt: null,
  skipped: null,
}

/** The positions of durable consumers. LMDB is on one machine, so the clock of the machine is the clock of the store. */
export function lmdbConsumers(
  { consumers, logId }: Tables,
  read: <Value>(query: () => Value) => Promise<Value>,
  write: (work: () => boolean) => Promise<boolean>,
): ConsumerStorage {
  return {
    logId: () => read(() => logId.get('id') as string),
    list: () => read(() => [...consumers.getRange({})].map(({ value }) => toStored(value))),
    create: (name, { position, event }) =>
      write(() => {
        if (consumers.get(name) !== undefined) return false
        consumers.putSync(name, { name, position, event, ...unowned, status: newStatus })
        return true
      }),
    lease: async (owner, names, leaseMs) => {
      let leased: Lease[] = []
      await write(() => {
        const now = Date.now()
        leased = [...new Set(names)].flatMap((name) => {
          const row = consumers.get(name)
          const isLeased = row !== undefined && row.leaseUntil > now && row.leaseUntil <= now + leaseMs
          if (row === undefined || (isLeased && row.owner !== owner)) return []
          return { ...row, owner, epoch: isLeased ? row.epoch : row.epoch + 1, leaseUntil: now + leaseMs }
        })
        for (const row of leased) consumers.putSync(row.name, row)
        return true
      })
      return leased.map(toStored)
    },
    release: async (owner, names) => {
      await write(() => {
        for (const name of names) {
          const row = consumers.get(name)
          if (row?.owner === owner) consumers.putSync(name, { ...row, leaseUntil: 0 })
        }
        return true
      })
    },
    write: ({ before, position, event, epoch, status }) =>
      write(() => {
        const row = consumers.get(before.name)
        const isSame = row?.owner === before.owner && row.epoch === before.epoch && row.position === before.position
        if (row === undefined || !isSame) return false
        consumers.putSync(row.name, { ...row, position, event, epoch, status })
        return true
      }),
    remove: (name) =>
      write(() => {
        if ((consumers.get(name)?.leaseUntil ?? Number.POSITIVE_INFINITY) > Date.now()) return false
        consumers.removeSync(name)
        return true
      }),
  }
}

function toStored({ leaseUntil, ...row }: Lease): StoredConsumer {
  return { ...row, leaseLeftMs: leaseUntil - Date.now() }
}
