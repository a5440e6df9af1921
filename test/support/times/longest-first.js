const { longest } = require('./longest')

/** The order in which Jest starts the files, independent of earlier runs; without slow files, larger groups come first. */
module.exports = class LongestFirst {
  sort(tests) {
    const filesOf = ({ path, context }) => context.config.globals.testGroups?.[path] ?? [path]
    const rank = (test) => {
      const place = longest.findIndex(([slow]) => filesOf(test).some((file) => file.endsWith(slow)))
      return place < 0 ? longest.length : place
    }
    return [...tests].sort(
      (one, other) =>
        rank(one) - rank(other) || filesOf(other).length - filesOf(one).length || (one.path < other.path ? -1 : 1),
    )
  }

  allFailedTests(tests) {
    return tests
  }

  shard(tests) {
    return tests
  }

  cacheResults() {}
}
