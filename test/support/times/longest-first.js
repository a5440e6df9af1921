const { longest } = require('./longest')

/** The order in which Jest starts the files, independent of earlier runs. */
module.exports = class LongestFirst {
  sort(tests) {
    const rank = ({ path }) => {
      const place = longest.findIndex(([file]) => path.endsWith(file))
      return place < 0 ? longest.length : place
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
