import type { Storage, StorageHealth } from '../../../src'
import { openMemory } from '../../../src/storage/memory'
import { sampleEvent } from '../../../src/testing/samples'

/** A server of a replicated database. */
export interface DatabaseServer {
  readonly storage: Storage
  removeEvents(upToId: number): Promise<void>
  /** Appends events of project shop with these data. Servers that append the same data have the same log. */
  append(...data: readonly number[]): Promise<void>
}

export function openDatabaseServer(): DatabaseServer {
  const { storage, removeEvents } = openMemory()
  return {
    storage,
    removeEvents,
    append: (...data) => storage.appendEvents(data.map((each) => sampleEvent(each, 'shop'))),
  }
}

/** A storage that is connected to one server after the other, as in a failover. */
export interface Connection {
  readonly storage: Storage
  connect(server: DatabaseServer, health?: Pick<StorageHealth, 'recovery'>): void
}

export function connectTo(first: DatabaseServer): Connection {
  let current = first.storage
  const connect: Connection['connect'] = ({ storage }, more = {}) => {
    current = { ...storage, health: async () => ({ ...(await storage.health()), ...more }) }
  }
  const storage = new Proxy(first.storage, { get: (_, name) => current[name as keyof Storage] })
  return { storage, connect }
}
