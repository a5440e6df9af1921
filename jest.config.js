const { randomInt } = require('node:crypto')
const { availableParallelism } = require('node:os')
const { nightlyFiles } = require('./test/support/nightly-files')

// One seed for all files, to repeat a run: SEED=… npm test.
process.env.SEED ??= String(randomInt(2 ** 31))
const isNightly = process.env.NIGHTLY === 'true'

/** The test files whose path matches the pattern; a regular expression, because test/support/groups evaluates it as well. */
const at = (path) => `^${__dirname}/${path}\\.test\\.ts$`

const base = {
  testEnvironment: 'node',
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } },
    ],
  },
  testPathIgnorePatterns: [
    '/node_modules/',
    '<rootDir>/build/',
    '<rootDir>/dist/',
    ...(isNightly ? [] : Object.values(nightlyFiles).flat()),
  ],
  modulePathIgnorePatterns: ['<rootDir>/build/', '<rootDir>/dist/', '<rootDir>/.cache/'],
}
const postgres = {
  globalSetup: '<rootDir>/test/support/databases/postgres-up.mjs',
  globalTeardown: '<rootDir>/test/support/databases/postgres-down.mjs',
}
const commandModules = {
  '^express-change-requests/package.json$': '<rootDir>/package.json',
  // How the sources name a file that they load later.
  '^(\\.{1,2}/(?:api|database|demo|\\.\\.)/.+)\\.js$': '$1',
}
const browser = {
  testEnvironment: '<rootDir>/test/page/support/environment.js',
  globalSetup: '<rootDir>/test/page/support/up.mjs',
  globalTeardown: '<rootDir>/test/page/support/down.mjs',
  moduleNameMapper: { ...commandModules, '^express-change-requests$': '<rootDir>/src/index.ts' },
}
const http = { ...base, ...postgres, testRegex: at('test/(http|page/serve)/.+') }

module.exports = {
  // Turns a test that hangs into one that fails, on the busiest machine; no test has a limit of its own.
  testTimeout: 30 * 60_000,
  // One more than there are cores, because many files wait for a server, a database or a browser.
  maxWorkers: availableParallelism() + 1,
  // Each test file leaves an AsyncLocalStorage, which slows down every promise of the process, so a new worker is faster.
  workerIdleMemoryLimit: '700MB',
  testSequencer: require.resolve('./test/support/times/longest-first'),
  reporters: ['default', require.resolve('./test/support/times/print-times')],
  projects: [
    { ...http, displayName: 'express 5' },
    {
      ...http,
      displayName: 'express 4',
      // What differs between the majors: routing, bodies, errors, the layers of a router. The rest runs nightly.
      ...(!isNightly && {
        testRegex: [
          at('test/http/hosts/(consumed-bodies|hosts|page-addresses)'),
          at('test/http/pipeline/(bad-input|error-handler|hooks|routes)'),
          at('test/http/events/sse'),
          at('test/http/gate/(gate|opaque-handlers|ungated-routes)'),
          at('test/http/routes/default-settings'),
          at('test/page/serve/files'),
        ],
      }),
      testPathIgnorePatterns: [
        ...base.testPathIgnorePatterns,
        // Tests that do not depend on Express run with one major: rows of CSV, and whether the published suite fits a host.
        at('test/http/events/csv'),
        at('test/http/hosts/contract-hosts'),
      ],
      moduleNameMapper: { '^express$': 'express4', '^express/package.json$': 'express4/package.json' },
    },
    {
      ...base,
      displayName: 'unit',
      testRegex: at('test/(domain|auth|capabilities|kernel|options|unleash-rules|validation|webhooks)/.+'),
    },
    {
      ...base,
      displayName: 'page',
      setupFiles: ['<rootDir>/test/page/support/locale.js'],
      testRegex: at('test/(client|page/(authoring|core|flag|inbox|words|log|request|schedule))/.+'),
    },
    { ...base, ...browser, displayName: 'browser', testRegex: at('test/page/browser/.+') },
    { ...base, ...browser, displayName: 'pictures', testRegex: at('test/page/pictures/.+') },
    { ...base, displayName: 'package', testRegex: at('test/package/.+') },
    {
      ...base,
      ...postgres,
      displayName: 'examples',
      testRegex: at('examples/.+'),
      moduleNameMapper: {
        '^express-change-requests$': '<rootDir>/src/index.ts',
        '^express-change-requests/knex$': '<rootDir>/src/storage/knex/index.ts',
        '^express-change-requests/postgres$': '<rootDir>/src/storage/handles/postgres/index.ts',
        '^express-change-requests/sqlite$': '<rootDir>/src/storage/handles/sqlite/index.ts',
        '^express-change-requests/handles$': '<rootDir>/src/storage/handles/orms/index.ts',
        '^express-change-requests/testing$': '<rootDir>/src/testing/index.ts',
        '^express-change-requests/client$': '<rootDir>/src/client/index.ts',
        '^express-change-requests/page$': '<rootDir>/src/page/index.ts',
        '^express-change-requests/types$': '<rootDir>/src/generated/index.ts',
      },
    },
    {
      ...base,
      ...postgres,
      displayName: 'storage',
      testRegex: at('test/(storage|ledger|cli|examples|telemetry)/.+'),
      moduleNameMapper: commandModules,
    },
    { ...base, ...postgres, displayName: 'faults', testRegex: at('test/faults/.+') },
  ],
}
