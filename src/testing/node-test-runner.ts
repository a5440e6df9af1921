import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Runner } from './runner'

/**
 * The {@link Runner} for `node:test`.
 *
 * @example
 * ```ts
 * describeStorage(nodeTestRunner, 'my storage', async () => {
 *   const storage = memoryStorage()
 *   await storage.migrate()
 *   return { storage, close: () => storage.close() }
 * })
 * ```
 */
export const nodeTestRunner: Runner = {
  describe: (title, body) => void describe(title, body),
  it: (title, body, timeoutMs) => void it(title, timeoutMs === undefined ? {} : { timeout: timeoutMs }, body),
  expect: (actual) => ({
    toBe: (expected) => assert.equal(actual, expected),
    toEqual: (expected) => assert.deepEqual(actual, expected),
  }),
}
