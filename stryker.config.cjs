const { projects } = require('./jest.config.js')
const { displayName: _, ...unit } = projects.find(({ displayName }) => displayName === 'unit')

// A rule is killed by a test of its own layer: LAYER=domain mutates src/domain and runs test/domain, and nothing else.
const { LAYER: layer = '{domain,operations}' } = process.env

module.exports = {
  // Texts, of which a test pins each: 180 mutants that need all tests anew, since they are made while the file loads.
  mutate: [`src/${layer}/**/*.ts`, '!src/domain/events/sentences.ts'],
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
  ignorePatterns: ['dist', 'coverage', '.cache'],
  // Stryker 9 reads a tsconfig.json with an API that TypeScript 7 does not have; a file of this name does not exist.
  tsconfigFile: 'none.json',
  tempDirName: '.cache/stryker',
  reporters: ['clear-text', 'progress-append-only', 'html', 'json'],
  clearTextReporter: { allowColor: false, allowEmojis: false, logTests: false, reportTests: false },
  htmlReporter: { fileName: `.cache/mutants/${layer}.html` },
  jsonReporter: { fileName: `.cache/mutants/${layer}.json` },
  thresholds: { high: 95, low: 90, break: 90 },
}
