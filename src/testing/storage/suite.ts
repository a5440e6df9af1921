import type { Storage } from '../../ports/storage/storage'
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
  /** A migrated, empty storage. */
  readonly storage: Storage
  /**
   * Makes the store unreachable for this storage, as if its server had stopped. Without it, the suite does not test that
   * `failureOf` and `health()` report this.
   */
  breakConnection?(): Promise<void>
  /**
   * Removes the events up to this id directly in the store, as an operator would, and none of the data derived from them.
   * Without it, the suite does not test `recountEvents()`. Omit it only if events cannot be removed.
   */
  removeEvents?(upToId: number): Promise<void>
  /** Called after the test, whether it passed or failed. */
  close(): Promise<void>
}

/** The runner for the groups of the suite. Each test gets its own store. */
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

/** Runs `count` calls concurrently and returns their results. */
export function together<Value>(count: number, call: (index: number) => Promise<Value>): Promise<Value[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => call(index)))
}

/** Whether the call rejects, with any error. */
export async function rejects(call: Promise<unknown>): Promise<boolean> {
  return call.then(
    () => false,
    () => true,
  )
}
