import type { Runner } from './runner'
import { describeAtomicity } from './storage-atomicity'
import { describeCommit } from './storage-commit'
import { describeEventCounts } from './storage-event-counts'
import { describeEventCreators } from './storage-event-creators'
import { describeEventFilters } from './storage-event-filters'
import { describeEventText } from './storage-event-text'
import { describeEventTouching } from './storage-event-touching'
import { describeEvents } from './storage-events'
import { describeFailures } from './storage-failures'
import { describeFind } from './storage-find'
import { describeFollowers } from './storage-followers'
import { describeIdempotency } from './storage-idempotency'
import { describeIds } from './storage-ids'
import { describeLife } from './storage-life'
import { describeLists } from './storage-lists'
import { describeOpen } from './storage-open'
import { describePages } from './storage-pages'
import { describeRaces } from './storage-races'
import { describeRemoval } from './storage-removal'
import { describeSettings } from './storage-settings'
import { describeSubjects } from './storage-subjects'
import { createSuite, type OpenStorage } from './storage-suite'
import { describeTransactions } from './storage-transactions'

/**
 * Describes what every storage must do: one test for each thing that the port promises. A storage that passes keeps the
 * router's promises.
 *
 * @param open gives a fresh, migrated store with nothing in it; called once a test.
 *
 * @example
 * ```ts
 * describeStorage({ describe, it, expect }, 'my storage', async () => {
 *   const storage = memoryStorage()
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
    describeFind(suite)
    describeLists(suite)
    describePages(suite)
    describeCommit(suite)
    describeSubjects(suite)
    describeRemoval(suite)
    describeIdempotency(suite)
    describeRaces(suite)
    describeAtomicity(suite)
    describeSettings(suite)
    describeEvents(suite)
    describeEventFilters(suite)
    describeEventTouching(suite)
    describeEventText(suite)
    describeEventCounts(suite)
    describeEventCreators(suite)
    describeFollowers(suite)
    describeTransactions(suite)
    describeLife(suite)
    describeFailures(suite)
  })
}
