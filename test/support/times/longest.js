/**
 * The slowest files, slowest first: started last, they would delay the end. A file that takes more than 20 s on an idle
 * machine with two cores has a reason.
 *
 * @type {readonly (readonly [file: string, reason?: string])[]}
 */
exports.longest = [
  ['test/storage/contract.test.ts', 'the published suite, on each kind of store of a host'],
  ['test/package/tarball.test.ts'],
  ['test/storage/handles/kysely/contract.test.ts', 'the published suite, in transactions of four statements each'],
  ['test/package/new-action.test.ts'],
  ['test/http/hosts/contract.test.ts'],
  [
    'test/page/browser/flag.test.ts',
    'each row of the editor is proposed, reviewed, applied and read back, on three stores',
  ],
  ['test/page/browser/screens.test.ts'],
  ['test/faults/bounds/memory.test.ts'],
  ['test/page/browser/hostile.test.ts'],
  ['test/page/browser/places.test.ts'],
  ['examples/custom-storage/lmdb-storage.test.ts'],
  ['examples/custom-storage/lmdb-http.test.ts'],
  ['test/package/examples.test.ts'],
  ['test/faults/storage/migration-kill.test.ts'],
  ['test/faults/storage/postgres-down.test.ts'],
  ['examples/remote-gateway/remote-gateway.test.ts', 'processes that are killed at a step each'],
  ['test/storage/events/stored-counts.test.ts'],
]
