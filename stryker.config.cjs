const { projects } = require('./jest.config.js')
const { displayName: _, ...unit } = projects.find(({ displayName }) => displayName === 'unit')

// A rule is killed by a test of its own layer: LAYER=domain mutates src/domain and runs test/domain, and nothing else.
const { LAYER: layer = '{domain,operations}' } = process.env

module.exports = {
  mutate: [`src/${layer}/**/*.ts`],
  testRunner: 'jest',
  // The projects of jest.config.js would take precedence over `config`; package.json holds no settings of Jest.
  jest: { configFile: 'package.json', config: { ...unit, testMatch: [`<rootDir>/test/${layer}/**/*.test.ts`] } },
  coverageAnalysis: 'perTest',
  ignorePatterns: ['dist', 'coverage', '.cache'],
  // Stryker 9 reads a tsconfig.json with an API that TypeScript 7 does not have; a file of this name does not exist.
  tsconfigFile: 'none.json',
  tempDirName: '.cache/stryker',
  reporters: ['clear-text', 'html', 'json'],
  clearTextReporter: { allowColor: false, allowEmojis: false, logTests: false, reportTests: false },
  htmlReporter: { fileName: `.cache/mutants/${layer}.html` },
  jsonReporter: { fileName: `.cache/mutants/${layer}.json` },
  thresholds: { high: 95, low: 85, break: 85 },
}
