const { projects } = require('./jest.config.js')
const { displayName: _, ...unit } = projects.find(({ displayName }) => displayName === 'unit')

// Each layer's mutants are killed by the tests of that layer: LAYERS=domain mutates src/domain and runs test/domain only.
const { LAYERS: layers = 'domain,kernel,capabilities' } = process.env

module.exports = {
  // Excludes a table of texts that a test pins: its 180 static mutants would each run all tests again.
  mutate: [...layers.split(',').map((layer) => `src/${layer}/**/*.ts`), '!src/domain/events/vocabulary.ts'],
  testRunner: 'jest',
  // One file loads all tests of the layer. The projects of jest.config.js would override `config`; package.json has none.
  jest: {
    configFile: 'package.json',
    config: { ...unit, testMatch: ['<rootDir>/test/support/mutants/layer.js'] },
    enableFindRelatedTests: false,
  },
  coverageAnalysis: 'perTest',
  // A busy machine is no reason to count a mutant as killed.
  timeoutMS: 60_000,
  ignorePatterns: ['build', 'dist', 'coverage', '.cache'],
  // Stryker 9 reads a tsconfig.json with an API that TypeScript 7 does not have; a file of this name does not exist.
  tsconfigFile: 'none.json',
  tempDirName: '.cache/stryker',
  reporters: ['clear-text', 'progress-append-only', 'html', 'json'],
  clearTextReporter: { allowColor: false, allowEmojis: false, logTests: false, reportTests: false },
  htmlReporter: { fileName: `.cache/mutants/${layers}.html` },
  jsonReporter: { fileName: `.cache/mutants/${layers}.json` },
  thresholds: { high: 95, low: 90, break: 90 },
}
