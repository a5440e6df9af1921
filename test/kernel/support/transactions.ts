import type { Storage } from '../../../src'
import type { Write } from '../../../src/ports/storage/change-requests'

/** What the gateway gets to write through. */
export const transaction = { name: 'transaction of the test' }

/**
 * A storage whose transactions hold back what is committed in them until they end well.
 *
 * @param commit Done at the COMMIT of each transaction, which fails when it throws.
 */
export function withTransactions(memory: Storage, commit: () => void = () => {}) {
  const log = { committed: 0, rolledBack: 0 }
  const storage: Storage = {
    ...memory,
    async transaction(work) {
      const writes: Write[] = []
      try {
        const value = await work(transaction, {
          async commit(write) {
            const { changeRequest, expectedVersion } = write
            const present = await memory.find(changeRequest, changeRequest.id)
            if (present?.version !== expectedVersion) return false
            writes.push(write)
            return true
          },
          appendEvents: memory.appendEvents,
        })
        commit()
        for (const write of writes) await memory.commit(write)
        log.committed += 1
        return value
      } catch (error) {
        log.rolledBack += 1
        throw error
      }
    },
  }
  return { storage, log }
}
