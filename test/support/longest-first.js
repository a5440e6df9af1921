/** What takes longest, in this order: begun last, it would be waited for alone. */
const long = [
  'test/storage/review/steps.test.ts',
  'test/page/browser/access.test.ts',
  'test/storage/contract.test.ts',
  'test/storage/knex/host-database.test.ts',
  'test/package/tarball.test.ts',
  'test/http/hosts/contract.test.ts',
  'test/storage/model/model.test.ts',
  'test/storage/model/approval-rules.test.ts',
  'test/page/browser/journey.test.ts',
  'test/package/new-action.test.ts',
  'test/http/hosts/contract-hosts.test.ts',
  'examples/custom-storage/lmdb-http.test.ts',
  'test/http/matrix/matrix.test.ts',
  'test/examples/flag-store-refusals.test.ts',
  'test/storage/events/kept-counts.test.ts',
]

/** The order in which Jest begins the files, the same whether it has run them before or not. */
module.exports = class LongestFirst {
  sort(tests) {
    const rank = ({ path }) => {
      const place = long.findIndex((end) => path.endsWith(end))
      return place < 0 ? long.length : place
    }
    return [...tests].sort((one, other) => rank(one) - rank(other) || (one.path < other.path ? -1 : 1))
  }

  allFailedTests(tests) {
    return tests
  }

  shard(tests) {
    return tests
  }

  cacheResults() {}
}
