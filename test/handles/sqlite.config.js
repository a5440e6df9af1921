const { projects, testTimeout } = require('../../jest.config.js')

const storage = projects.find(({ displayName }) => displayName === 'storage')

// For a newer Node than the one that has installed the root: better-sqlite3 13 has binaries for all of them.
module.exports = {
  ...storage,
  displayName: 'node:sqlite',
  rootDir: '../..',
  // The walk starts the example server.
  testRegex: '/test/(storage/(handles/sqlite/[^/]+|flags/plain-flags)|package/docs/walk)\\.test\\.ts$',
  moduleNameMapper: {
    ...storage.moduleNameMapper,
    '^better-sqlite3$': '<rootDir>/test/handles/node_modules/better-sqlite3-13',
  },
  testTimeout,
}
