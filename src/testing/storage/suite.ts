import type { Storage } from '../../ports/storage'
import type { Runner } from '../runner'

/**
 * A store that was opened for one test.
 *
 * @example
 * ```ts
 * const openMine = async (): Promise<OpenStorage> => {
 *   await storage.migrate()
 *   return {
 *     storage,
 *     breakConnection: () => knex.destroy(),
 *     removeEvents: async (upToId) => void (await knex('my_events').where('id', '<=', upToId).delete()),
 *     close: () => storage.close(),
 *   }
 * }
 * ```
 */
export interface OpenStorage {
  /** Migrated, with nothing in it. */
  readonly storage: Storage
  /**
   * Makes the store unreachable for this storage from now on, as when its server stops. Left out: whether `failureOf` and
   * `health()` tell so is not tested.
   */
  breakConnection?(): Promise<void>
  /**
   * Removes the events up to this id, as an operator does beside the storage, and nothing that is kept about them. Left
   * out: what `recountEvents()` does is not tested; leave it out only where events cannot be removed.
   */
  removeEvents?(upToId: number): Promise<void>
  /** Called once the test is over, whatever became of it. */
  close(): Promise<void>
}

/** What the parts of the storage contract are written with: the runner, and a test that gets a store of its own. */
export interface StorageSuite extends Pick<Runner, 'describe' | 'expect'> {
  test(title: string, body: (storage: Storage, open: OpenStorage) => Promise<void>): void
}

export function createSuite({ describe, it, expect }: Runner, open: () => Promise<OpenStorage>): StorageSuite {
  return {
    describe,
    expect,
    test(title, body) {
      it(title, async () => {
        const opened = await open()
        try {
          await body(opened.storage, opened)
        } finally {
          await opened.close()
        }
      })
    },
  }
}

/** Starts `count` calls at once and answers what each of them answered. */
export function together<Value>(count: number, call: (index: number) => Promise<Value>): Promise<Value[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => call(index)))
}

/** True when the call rejects, with whatever. */
export async function rejects(call: Promise<unknown>): Promise<boolean> {
  return call.then(
    () => false,
    () => true,
  )
}
