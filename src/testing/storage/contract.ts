import type { Runner } from '../runner'
import { describeDue } from './change-requests/due'
import { describeFind } from './change-requests/find'
import { describeIds } from './change-requests/ids'
import { describeInterrupted } from './change-requests/interrupted'
import { describeLists } from './change-requests/lists'
import { describeOpen } from './change-requests/open'
import { describePages } from './change-requests/pages'
import { describeRemoval } from './change-requests/removal'
import { describeSubjects } from './change-requests/subjects'
import { describeEventCounts } from './events/counts'
import { describeEventCreators } from './events/creators'
import { describeEventFilters } from './events/filters'
import { describeFollowers } from './events/followers'
import { describeEventHistory } from './events/history'
import { describeEvents } from './events/log'
import { describeEventSearch } from './events/search'
import { describeEventText } from './events/text'
import { createSuite, type OpenStorage } from './suite'
import { describeAtomicity } from './writes/atomicity'
import { describeCommit } from './writes/commit'
import { describeFailures } from './writes/failures'
import { describeIdempotency } from './writes/idempotency'
import { describeLife } from './writes/life'
import { describeRaces } from './writes/races'
import { describeSettings } from './writes/settings'
import { describeTransactions } from './writes/transactions'

/**
 * Defines one test for each guarantee of the storage port. The router works correctly on every storage that passes.
 *
 * @param open returns a new, migrated, empty store; called once per test.
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
    describeDue(suite)
    describeInterrupted(suite)
    describeCommit(suite)
    describeSubjects(suite)
    describeRemoval(suite)
    describeIdempotency(suite)
    describeRaces(suite)
    describeAtomicity(suite)
    describeSettings(suite)
    describeEvents(suite)
    describeEventFilters(suite)
    describeEventHistory(suite)
    describeEventText(suite)
    describeEventCounts(suite)
    describeEventSearch(suite)
    describeEventCreators(suite)
    describeFollowers(suite)
    describeTransactions(suite)
    describeLife(suite)
    describeFailures(suite)
  })
}
