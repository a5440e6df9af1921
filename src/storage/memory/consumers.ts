import { randomUUID } from 'node:crypto'
import { type ConsumerStorage, newConsumerStatus, type StoredConsumer } from '../../ports/storage/consumers'

interface Row extends Omit<StoredConsumer, 'leaseLeftMs'> {
  readonly leaseUntil: number
}

export function memoryConsumers(): ConsumerStorage {
  const logId = randomUUID()
  const rows = new Map<string, Row>()
  const toStored = ({ leaseUntil, ...row }: Row): StoredConsumer =>
    copyOf({ ...row, leaseLeftMs: leaseUntil - Date.now() })
  return {
    logId: async () => logId,
    list: async () => [...rows.values()].map(toStored).sort((one, other) => (one.name < other.name ? -1 : 1)),
    async create(name, start) {
      if (rows.has(name)) return false
      const unowned = { owner: null, epoch: 0, leaseUntil: 0, status: newConsumerStatus }
      rows.set(name, copyOf({ name, position: start.position, event: start.event, ...unowned }))
      return true
    },
    async lease(owner, names, leaseMs) {
      const now = Date.now()
      const leased = [...new Set(names)].flatMap((name) => {
        const row = rows.get(name)
        if (row === undefined) return []
        const isLeased = row.leaseUntil > now && row.leaseUntil <= now + leaseMs
        if (isLeased && row.owner !== owner) return []
        return { ...row, owner, epoch: isLeased ? row.epoch : row.epoch + 1, leaseUntil: now + leaseMs }
      })
      for (const row of leased) rows.set(row.name, row)
      return leased.map(toStored)
    },
    async release(owner, names) {
      for (const name of names) {
        const row = rows.get(name)
        if (row?.owner === owner) rows.set(name, { ...row, leaseUntil: 0 })
      }
    },
    async write({ before, position, event, epoch, status }) {
      const row = rows.get(before.name)
      const isSame = row?.owner === before.owner && row.epoch === before.epoch && row.position === before.position
      if (row === undefined || !isSame) return false
      rows.set(before.name, { ...row, ...copyOf({ position, event, epoch, status }) })
      return true
    },
    async remove(name) {
      return (rows.get(name)?.leaseUntil ?? Number.POSITIVE_INFINITY) <= Date.now() && rows.delete(name)
    },
  }
}

/** The values are JSON, as in a database. */
function copyOf<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value))
}
