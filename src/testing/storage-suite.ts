import type { Storage } from '../ports/storage'
import type { Runner } from './runner'

/**
 * A store that was opened for one test.
 *
 * @example
 * ```ts
 * const open = async (): Promise<OpenStorage> => ({ storage: memoryStorage(), close: async () => {} })
 * ```
 */
export interface OpenStorage {
  /** Migrated, with nothing in it. */
  readonly storage: Storage
  /** Called once the test is over, whatever became of it. */
  close(): Promise<void>
}

/** What the parts of the storage contract are written with: the runner, and a test that gets a store of its own. */
export interface StorageSuite extends Pick<Runner, 'describe' | 'expect'> {
  test(title: string, body: (storage: Storage) => Promise<void>): void
}

export function createSuite({ describe, it, expect }: Runner, open: () => Promise<OpenStorage>): StorageSuite {
  return {
    describe,
    expect,
    test(title, body) {
      it(title, async () => {
        const { storage, close } = await open()
        try {
          await body(storage)
        } finally {
          await close()
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
