import type { Storage } from '../../ports/storage/storage'
import type { Runner } from '../runner'

/** A store that was opened for one test. */
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

/** Enough for a slow store on a busy machine; the default of most runners, 5 s, is not. */
const timeoutMs = 300_000

/** @param why the reason of the guarantees, for the message of a failing test */
export function createSuite(
  { describe, it, expect }: Runner,
  open: () => Promise<OpenStorage>,
  why: string,
): StorageSuite {
  return {
    describe,
    expect,
    test(title, body) {
      const run = async () => {
        const opened = await open()
        try {
          await body(opened.storage, opened)
        } catch (error) {
          throw explained(error, title, why)
        } finally {
          await opened.close()
        }
      }
      it(title, run, timeoutMs)
    },
  }
}

/** The error of an assertion only has two values. The author of a storage also needs the guarantee that was tested. */
function explained(error: unknown, title: string, why: string): Error {
  const found = (error as Error | null)?.message ?? String(error)
  return new Error(`Expected: ${title}.\nWhy: ${why}\n\n${found}`, { cause: error })
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
