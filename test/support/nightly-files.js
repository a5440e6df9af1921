/**
 * Test files that `npm run nightly` runs and `npm test` does not, by the part of the nightly run. They repeat what other files
 * test, on other stores, processes and display modes, or they kill processes repeatedly.
 */
exports.nightlyFiles = {
  faults: [
    'test/faults/apply/kill.test.ts',
    'test/faults/apply/two-databases.test.ts',
    'test/faults/bounds/memory.test.ts',
    'test/faults/consumers/kills.test.ts',
    'test/faults/consumers/databases.test.ts',
    'test/faults/events/event-followers.test.ts',
    'test/faults/events/large-lists.test.ts',
    'test/faults/events/restored.test.ts',
    'test/faults/events/slow-readers.test.ts',
    'test/faults/failover/standby.test.ts',
    'test/faults/schedule/once.test.ts',
    'test/faults/storage/migration-kill.test.ts',
    'test/faults/storage/postgres-down.test.ts',
    'test/faults/storage/starters.test.ts',
  ],
  page: [
    'test/page/browser/failover.test.ts',
    'test/page/browser/first-change.test.ts',
    'test/page/browser/heap.test.ts',
    'test/page/browser/large.test.ts',
    'test/page/browser/layout.test.ts',
    'test/page/browser/locale.test.ts',
    'test/page/browser/places.test.ts',
    'test/page/browser/print.test.ts',
    'test/page/browser/since.test.ts',
    'test/page/browser/tarball.test.ts',
    'test/page/browser/walk.test.ts',
  ],
  combinations: [
    'examples/custom-storage/lmdb-http.test.ts',
    'test/http/hosts/contract-hosts.test.ts',
    'test/http/hosts/hosts-compression.test.ts',
    'test/package/new-action.test.ts',
    'test/storage/handles/kysely/contract.test.ts',
    'test/storage/handles/kysely/from-kysely.test.ts',
    'test/storage/handles/kysely/host.test.ts',
    'test/storage/handles/kysely/transactions.test.ts',
    'test/storage/knex/external-pool.test.ts',
    'test/storage/router/large.test.ts',
  ],
  seeds: ['test/storage/router/freezes.test.ts'],
}
