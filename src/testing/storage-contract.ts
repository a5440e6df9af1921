import type { Runner } from './runner'
import { describeAtomicity } from './storage-atomicity'
import { describeCommit } from './storage-commit'
import { describeEvents } from './storage-events'
import { describeFollowers } from './storage-followers'
import { describeIds } from './storage-ids'
import { describeLife } from './storage-life'
import { describeOpen } from './storage-open'
import { describeRaces } from './storage-races'
import { createSuite, type OpenStorage } from './storage-suite'

/**
 * Describes what every storage must do: one test for each thing that the port promises. A storage that passes keeps the
 * router's promises.
 *
 * @param open gives a fresh, migrated store with nothing in it; called once a test.
 *
 * @example
 * ```ts
 * describeStorage({ describe, it, expect }, 'my storage', async () => {
 *   const storage = myStorage()
 *   await storage.migrate()
 *   return { storage, close: () => storage.close() }
 * })
 * ```
 */
export function describeStorage(runner: Runner, name: string, open: () => Promise<OpenStorage>): void {
  const suite = createSuite(runner, open)
  runner.describe(`the storage contract on ${name}`, () => {
    describeIds(suite)
    describeOpen(suite)
    describeCommit(suite)
    describeRaces(suite)
    describeAtomicity(suite)
    describeEvents(suite)
    describeFollowers(suite)
    describeLife(suite)
  })
}
