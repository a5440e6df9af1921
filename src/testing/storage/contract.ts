import type { Runner } from '../runner'
import { describeById } from './change-requests/by-id'
import { describeDue } from './change-requests/due'
import { describeFind } from './change-requests/find'
import { describeIds } from './change-requests/ids'
import { describeInterrupted } from './change-requests/interrupted'
import { describeLists } from './change-requests/lists'
import { describeOpen } from './change-requests/open'
import { describePages } from './change-requests/pages'
import { describeRemoval } from './change-requests/removal'
import { describeSubjects } from './change-requests/subjects'
import { describeConsumers } from './consumers'
import { describeEventCounts } from './events/counts'
import { describeEventCreators } from './events/creators'
import { describeEventFilters } from './events/filters'
import { describeFollowers } from './events/followers'
import { describeEventHistory } from './events/history'
import { describeEvents } from './events/log'
import { describeEventSearch } from './events/search'
import { describeEventText } from './events/text'
import { describeInspection } from './inspection'
import { createSuite, type OpenStorage, type StorageSuite } from './suite'
import { describeTelemetry } from './telemetry'
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
  runner.describe(`the storage contract on ${name}`, () => {
    for (const [describeGroup, why] of groups) describeGroup(createSuite(runner, open, why))
  })
}

/** The groups of guarantees, and why the router needs them: a failing test shows the reason. */
const groups: readonly (readonly [(suite: StorageSuite) => void, string])[] = [
  [describeIds, 'Ids appear in URLs and events, so none may be used twice.'],
  [
    describeOpen,
    'A proposal is added to the open change request of its author, and there is at most one in each environment.',
  ],
  [describeFind, 'The router decides on the change request that it reads, and compares its version when it writes.'],
  [describeLists, 'Lists show what the caller may see, and their counts are the numbers of those rows.'],
  [describePages, 'A list is read in pages; a reader must meet each row once, while others write.'],
  [describeDue, 'The scheduler finds due change requests with this query only: a missing row would never be applied.'],
  [describeById, 'An export of change requests is complete, and continues where it was interrupted.'],
  [describeInterrupted, 'An interrupted apply is settled only if this query finds it.'],
  [
    describeCommit,
    'A commit stores the change request and its events, or nothing, and only if no other write came first.',
  ],
  [describeSubjects, 'Rules about other change requests for the same flag or segment depend on the stored subjects.'],
  [describeRemoval, 'A discarded draft disappears from all lists, while its events stay in the log.'],
  [describeIdempotency, 'A retry with the same key must not have a second effect.'],
  [describeRaces, 'Two concurrent writes must not both win: an approval would survive an edit.'],
  [describeAtomicity, 'The log must contain exactly the events of the writes that happened.'],
  [describeSettings, 'The settings decide whether a change needs a review, and by how many users.'],
  [describeEvents, 'Readers of the log find every event once, in the order of the ids, as it was stored.'],
  [describeEventFilters, 'A filter that is ignored would show events of projects that the caller may not read.'],
  [describeEventHistory, 'The history of a change request must contain all of its events.'],
  [describeEventText, 'A text search must find every event that contains the text, and no other.'],
  [describeEventCounts, 'Clients show the total of a list, and stop reading when they have that many.'],
  [describeEventSearch, 'The event search must return the same rows as the log with the same filters.'],
  [describeEventCreators, 'The list of authors is what users filter the log by.'],
  [
    describeFollowers,
    'A follower continues after the last id it has seen: an event that appears later with a lower id is lost.',
  ],
  [
    describeConsumers,
    'Only the process that owns a consumer may move its position: otherwise events would be skipped.',
  ],
  [
    describeInspection,
    'verifyStorage compares what this returns: a wrong value would be a finding in a consistent database.',
  ],
  [describeTelemetry, 'Dashboards and alerts show these values, and a consumer finds the step that caused an event.'],
  [describeTransactions, 'Flags and events are committed together only if both use the same transaction.'],
  [describeLife, 'The router shares one storage between many requests and processes.'],
  [describeFailures, 'The router decides by failureOf() whether it retries, or responds with 503.'],
]
