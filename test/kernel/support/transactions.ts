import type { Storage } from '../../../src'
import type { Write } from '../../../src/ports/storage/change-requests'

/** The transaction that the gateway gets. */
export const transaction = { name: 'transaction of the test' }

/**
 * A storage whose transactions delay commits until they succeed.
 *
 * @param commit Called at the COMMIT of each transaction, which fails if it throws.
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
